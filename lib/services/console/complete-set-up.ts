import { pinOfFingerprint } from '@/lib/authority/pins';
import type { CompleteSetUpInput, SetUpDone } from '@/lib/contracts/console/set-up';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { raiseEpoch } from './raise-epoch';
import { alreadyDone, checkSetUpLink, invalidLink } from './set-up-link';
import { verifySetUp, type VerifiedSetUp } from './verify-set-up';

/**
 * Takes the signed documents of a first run into force: trust root, roster, policy, the person, and their receipts, all
 * in one transaction or not at all. Failures: those of the link, those of `verifySetUp`, and `rollback_detected` when
 * this process has served a workspace that the database no longer holds.
 */
export async function completeSetUp(parts: ConsoleParts, input: CompleteSetUpInput): Promise<Result<SetUpDone>> {
  const { sha256 } = parts.cryptography;
  const now = await parts.reads.now();
  const link = await checkSetUpLink({ ...parts, sha256 }, input.link, now);
  if (!link.ok) return link;
  const signed = await verifySetUp(parts, input, now);
  if (!signed.ok) return signed;
  const free = await pinIsFree(parts);
  if (!free.ok) return free;
  // Slow on purpose, so before the lock.
  const passwordHash = await parts.passwords.hash(input.password);
  const done = await commit(parts, input, signed.value, link.value.digest, passwordHash);
  if (done.ok) await parts.inForce.refresh();
  return done;
}

/**
 * A pin that has served something means that the database was emptied or swapped: setting up over it would hide that. A
 * bare fingerprint is left by a set-up that did not commit, and nothing was ever decided under it.
 */
async function pinIsFree({ pins }: ConsoleParts): Promise<Result<null>> {
  const read = await pins.read();
  if (!read.ok) return read;
  const pin = read.value;
  if (!pin || (pin.root_version === 0 && pin.log === null && pin.policy === null)) return ok(null);
  return fail('rollback_detected', 'This process has served a workspace that the database no longer holds.', {
    fix: 'Restore the database, or start with another state directory.',
  });
}

function commit(
  parts: ConsoleParts,
  input: CompleteSetUpInput,
  signed: VerifiedSetUp,
  linkDigest: string,
  password_hash: string,
): Promise<Result<SetUpDone>> {
  const { authority, people } = parts;
  const { person, fingerprint, policy } = signed;
  return parts.transactor.withHead(async (tx, { now }) => {
    if ((await authority.trustRoots(tx)).length > 0) return alreadyDone();
    if (!(await people.useSetUpLink(tx, linkDigest, now))) return invalidLink();
    await authority.addTrustRoot(tx, { version: 1, envelope: input.trust_root });
    await authority.addRoster(tx, { version: 1, envelope: input.roster });
    const revision = { revision: 1, ...policy, signature: input.policy, statement: input.policy_revision };
    await authority.addPolicy(tx, { ...revision, applied_by: person, applied_at: now });
    await people.add(tx, { id: person, email: input.email, name: input.name, password_hash, suspended_at: null, signed_out_at: null });
    await parts.ledger.append(tx, await receiptsOf(parts, signed, now));
    await raiseEpoch(parts, tx);
    // Last, and before the commit: a crash from here on leaves either a pin without a root (set-up starts again) or a
    // root with its pin. Pinned after the commit, a crash would leave a workspace that nobody may ever serve.
    await parts.pinRoot(pinOfFingerprint(fingerprint));
    return ok({ person, fingerprint });
  });
}

async function receiptsOf({ sign }: ConsoleParts, signed: VerifiedSetUp, at: string): Promise<readonly SignedReceipt[]> {
  const { person, owner, fingerprint, rosterDigest, policy } = signed;
  const by = { kind: 'person', id: person } as const;
  const signers = [owner.id];
  return [
    await sign('trust_root_changed', at, { version: 1, digest: fingerprint, previous_digest: null, signers }, { person }),
    await sign('roster_changed', at, { version: 1, digest: rosterDigest, previous_digest: null, signers }, { person }),
    await sign('user_administered', at, { person, change: 'joined', by }, { person }),
    await sign('key_enrolled', at, { person, key: owner, roster_version: 1 }, { person }),
    await sign(
      'policy_applied',
      at,
      { revision: 1, digest: policy.digest, base_digest: null, signers, change: 'first', self_signed: true, origin: 'set_up', by },
      { person, revision: 1 },
    ),
  ];
}
