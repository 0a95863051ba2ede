import { envelopePayload, type Envelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import { keyIdsHold } from './key-ids';
import { parseRoster } from './parse-roster';
import { rosterPayloadType, type VerifiedRoster } from './roster';
import { signedByOwners } from './signed-by-owners';
import type { TrustRoot } from './trust-root';
import type { Cryptography } from './verify-trust-root';

/**
 * Checks a roster against the trust root in force: owners' signatures to the threshold `loosening`, with keys that may
 * sign policies. Faults are `roster_invalid`. That it is the newest one is for the pin to say; that it follows
 * another, for `verifyNextRoster`.
 */
export async function verifyRoster(envelope: Envelope, root: TrustRoot, { verify, sha256 }: Cryptography): Promise<Result<VerifiedRoster>> {
  if (envelope.payloadType !== rosterPayloadType) return invalid(`The envelope holds ${envelope.payloadType}, not a roster.`);
  const bytes = envelopePayload(envelope);
  if (!bytes) return invalid('The payload is not canonical base64.');
  const parsed = parseRoster(bytes);
  if (!parsed.ok) return invalid(parsed.error.detail, parsed.error);
  const roster = parsed.value;
  if (roster.workspace !== root.workspace) return invalid('The roster belongs to another workspace.');
  if (roster.root_version > root.version) return invalid(`The roster rests on trust root ${roster.root_version}, which is not in force.`);
  const keys = roster.people.flatMap((person) => person.keys);
  if (!keyIdsHold(keys, sha256)) return invalid("A key's id is not the hash of the key.");
  // A service or recovery key that also belonged to a person would let a process sign as that person.
  const reserved = new Set([...root.services.map(({ key }) => key.id), root.recovery.key.id]);
  if (keys.some(({ id }) => reserved.has(id))) return invalid('A person is listed with a key of a service or the recovery key.');
  const strayed = root.owners.some(({ person, key }) => roster.people.some((other) => other.id !== person && other.keys.some(({ id }) => id === key.id)));
  if (strayed) return invalid("An owner's key is listed for somebody else.");
  const signed = await signedByOwners(envelope, root, 'policy', verify);
  if (signed.invalid) return invalid('A signature on the roster does not verify.');
  if (signed.people.length < root.thresholds.loosening) {
    return invalid(`${signed.people.length} of ${root.thresholds.loosening} needed owners have signed the roster.`);
  }
  return ok({ roster, digest: digestOf(sha256, bytes) });
}

/** The same for a roster that is to replace another: version plus one, naming it. `null` when there is none yet. */
export async function verifyNextRoster(
  envelope: Envelope,
  root: TrustRoot,
  current: VerifiedRoster | null,
  cryptography: Cryptography,
): Promise<Result<VerifiedRoster>> {
  const next = await verifyRoster(envelope, root, cryptography);
  if (!next.ok) return next;
  const { roster } = next.value;
  if (roster.version !== (current?.roster.version ?? 0) + 1 || roster.previous !== (current?.digest ?? null)) {
    return invalid(`Roster ${roster.version} does not follow the one in force.`);
  }
  return next;
}

const invalid = (detail: string, cause?: unknown) => fail('roster_invalid', detail, cause === undefined ? {} : { cause });
