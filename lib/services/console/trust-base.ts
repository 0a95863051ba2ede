import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import type { VerifiedRoster } from '@/lib/authority/roster';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { PolicyRow } from '@/lib/ports/authority-store';
import type { Tx } from '@/lib/ports/transaction';
import { envelopePayload, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { authorityToBuildOn } from './roster-change-facts';

/** What a change of the trust root starts from: the documents in force, as their owners signed them. */
export type TrustBase = {
  readonly root: TrustRoot;
  readonly digest: Digest;
  readonly fingerprint: Digest;
  /** The whole chain, oldest first. */
  readonly chain: readonly Envelope[];
  readonly roster: VerifiedRoster;
  readonly rosterEnvelope: Envelope;
  /** Null when no policy is in force: then none has to be signed anew. */
  readonly policy: PolicyRow | null;
  /** Roots of the chain that the recovery key brought into force, after their notice. */
  readonly recovered: ReadonlySet<Digest>;
};

/**
 * The root in force is read from its own signed bytes, not from what this process acts on: that one lists the service keys of earlier
 * roots as well, and its digest would be another.
 */
export async function trustBase(parts: ConsoleParts): Promise<Result<TrustBase>> {
  const built = await authorityToBuildOn(parts);
  if (!built.ok) return built;
  const { root: inForce, policy, recovered = new Set() } = await parts.inForce.current();
  const { roster } = built.value;
  const [rows, rosters, policies] = await Promise.all([parts.authority.trustRoots(), parts.authority.rosters(), parts.authority.policies(20)]);
  const chain: Envelope[] = [];
  for (const row of rows) {
    const envelope = parseEnvelope(row.envelope);
    if (!envelope.ok) return fail('trust_root_invalid', `Trust root ${String(row.version)} cannot be read.`, { cause: envelope.error });
    chain.push(envelope.value);
  }
  const newest = chain.at(-1);
  const bytes = newest && envelopePayload(newest);
  const root = bytes && parseTrustRoot(bytes);
  const rosterEnvelope = parseEnvelope(rosters.find(({ version }) => version === roster.roster.version)?.envelope ?? '');
  if (!inForce || !bytes || !root?.ok || digestOf(parts.cryptography.sha256, bytes) !== inForce.digest || !rosterEnvelope.ok) return moved();
  return ok({
    root: root.value, digest: inForce.digest, fingerprint: inForce.fingerprint, chain, roster, rosterEnvelope: rosterEnvelope.value, recovered,
    policy: policy ? (policies.find(({ revision, digest }) => revision === policy.revision && digest === policy.digest) ?? null) : null,
  });
}

/** Under the lock: nothing came into force since the base was read. A row of any kind takes its number. */
export async function stillStands(parts: Pick<ConsoleParts, 'authority'>, base: TrustBase, tx: Tx): Promise<boolean> {
  const [roots, rosters, policies] = [await parts.authority.trustRoots(tx), await parts.authority.rosters(tx), await parts.authority.policies(1, tx)];
  return (
    roots.at(-1)?.version === base.root.version &&
    rosters.at(-1)?.version === base.roster.roster.version &&
    (base.policy === null || policies[0]?.revision === base.policy.revision)
  );
}

export const moved = () => fail('conflict', 'Trust root, roster or policy have changed meanwhile.', { fix: 'Load the page and sign again.' });
