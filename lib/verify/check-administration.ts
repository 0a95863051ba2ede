import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { KeyId, PersonId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';

import { suspendedAgents } from './agent-restoration';
import { firstFault, ownersAt, type EventEvidence } from './event-evidence';
import { faultOfAnnouncement, faultOfCancellation } from './recovery-receipts';
import { failed, passed, type Check } from './report';
import { faultOfAcceptance } from './rollback-acceptance';
import type { PlacedRoster } from './roster-history';

/** Receipts about keys and credentials repeat what signed rosters say; exports cover what was there; an accepted restore is an owner's word. */
export async function checkAdministration(evidence: EventEvidence): Promise<Check> {
  let seen = 0;
  const suspended = new Set<string>();
  const acts = suspendedAgents(evidence);
  const fault = await firstFault(evidence.entries, async (body, index) => {
    const answer = votesSuspended(body, suspended) ?? (await acts(body, index)) ?? judge(body, index, evidence);
    if (answer !== notOurs) seen += 1;
    return answer === notOurs ? undefined : await answer;
  });
  if (fault) return failed('administration', fault.detail, fault.index);
  return passed('administration', `${seen} receipts.`);
}

/** Suspending takes effect at once, before any roster says so. */
function votesSuspended({ kind, predicate }: ReceiptBody, suspended: Set<string>): string | undefined {
  if (kind === 'user_administered') {
    if (predicate.change === 'suspended') suspended.add(predicate.person);
    else if (predicate.change === 'restored' || predicate.change === 'joined') suspended.delete(predicate.person);
  }
  return kind === 'approval_voted' && predicate.verdict === 'approve' && suspended.has(predicate.person) ? 'Somebody approved who was suspended.' : undefined;
}

const notOurs = Symbol('another rule’s');

function judge(body: ReceiptBody, index: number, evidence: EventEvidence): string | undefined | Promise<string | undefined> | typeof notOurs {
  const { kind, predicate } = body;
  switch (kind) {
    case 'trust_root_changed':
    case 'roster_changed':
    case 'policy_applied':
      return faultOfDocument(body, index, evidence);
    case 'key_enrolled':
      return listsKey(rosterOf(evidence, predicate.roster_version, index), predicate.person, predicate.key.id, predicate.key) ? undefined : 'The roster that the receipt names does not list the key for this person.';
    case 'key_removed':
      return faultOfRemoved(predicate, index, evidence);
    case 'credential_administered':
      return faultOfCredential(predicate, index, evidence);
    case 'user_administered':
      return predicate.roster_version === undefined || rosterOf(evidence, predicate.roster_version, index) ? undefined : 'The receipt names a roster that was not in force.';
    case 'export_made':
      return predicate.from <= predicate.to && predicate.to <= index ? undefined : 'An export of receipts that were not there yet.';
    case 'recovery_announced':
      return faultOfAnnouncement(predicate, index, evidence);
    case 'recovery_cancelled':
      return faultOfCancellation(predicate, index, evidence);
    case 'rollback_accepted':
      return faultOfAcceptance(predicate, index, ownersAt(evidence, index), evidence.cryptography);
    default:
      return notOurs;
  }
}

/** That what the receipt repeats of a document is what the document says, and that its signers are owners of the root that judged it. */
function faultOfDocument(body: ReceiptBody, index: number, evidence: EventEvidence): string | undefined {
  const { kind, predicate } = body;
  const fits = (version: number, previous: string | null, stated: { readonly version: number; readonly previous: string | null }) => version === stated.version && previous === stated.previous;
  switch (kind) {
    case 'trust_root_changed': {
      const root = evidence.roots.find((one) => one.index === index)?.root;
      if (root && !fits(root.version, root.previous, { version: predicate.version, previous: predicate.previous_digest })) return 'The receipt states another version of the trust root than owners signed.';
      return ownersOnly(predicate.signers, [ownersAt(evidence, index - 1), root]);
    }
    case 'roster_changed': {
      const roster = evidence.rosters.find((one) => one.index === index)?.roster;
      if (roster && !fits(roster.version, roster.previous, { version: predicate.version, previous: predicate.previous_digest })) return 'The receipt states another version of the roster than owners signed.';
      return ownersOnly(predicate.signers, [ownersAt(evidence, index)]);
    }
    case 'policy_applied': {
      const at = evidence.policies.findIndex((one) => one.index === index);
      if (at !== -1 && predicate.base_digest !== (evidence.policies[at - 1]?.digest ?? null)) return 'The receipt names another base of the policy than owners signed.';
      return ownersOnly(predicate.signers, [ownersAt(evidence, index)]);
    }
    default:
      return undefined;
  }
}

function ownersOnly(signers: readonly KeyId[], roots: readonly (TrustRoot | undefined)[]): string | undefined {
  const keys = new Set(roots.flatMap((root) => (root ? [root.recovery.key.id, ...root.owners.map(({ key }) => key.id)] : [])));
  return signers.every((signer) => keys.has(signer)) ? undefined : 'The receipt names a signer who is no owner.';
}

/** The roster of this version, once it is in force at the position. */
const rosterOf = ({ rosters }: EventEvidence, version: number, index: number): PlacedRoster | undefined =>
  rosters.find((one) => one.roster.version === version && one.index <= index);

/** `exact`: and as exactly this entry, kind and all. */
const listsKey = (placed: PlacedRoster | undefined, person: PersonId, key: KeyId, exact?: PublicKeyEntry): boolean =>
  placed?.roster.people.some(({ id, keys }) => id === person && keys.some((one) => one.id === key && (!exact || canonicalJson({ ...one }) === canonicalJson({ ...exact })))) === true;

function faultOfRemoved({ person, key, cause, roster_version, by }: ReceiptPredicate<'key_removed'>, index: number, evidence: EventEvidence): string | undefined {
  const listedBefore = (before: number): boolean => evidence.rosters.some((one) => one.index < before && listsKey(one, person, key));
  if (cause === 'revoked') {
    if (roster_version !== undefined) return 'A revocation rests on no roster.';
    if (by.kind !== 'person' || by.id !== person) return 'A key was revoked by somebody else than its person.';
    return listedBefore(index) ? undefined : 'A key was revoked that no roster had listed.';
  }
  const without = roster_version === undefined ? undefined : rosterOf(evidence, roster_version, index);
  if (!without) return 'The receipt names a roster that was not in force.';
  if (listsKey(without, person, key)) return 'The roster that the receipt names still lists the key.';
  return listedBefore(without.index) ? undefined : 'A key was removed that no roster had listed.';
}

/** What vouches is in the roster, and only there; a receipt can say so, never make it so. */
function faultOfCredential(predicate: ReceiptPredicate<'credential_administered'>, index: number, evidence: EventEvidence): string | undefined {
  const { credential, change, kind, roster_version, token_digest } = predicate;
  if (roster_version === undefined) return undefined;
  const listed = rosterOf(evidence, roster_version, index)?.roster.credentials.find(({ id }) => id === credential);
  if (change === 'revoked' || change === 'expired') return listed ? 'The roster that the receipt names still lists the credential.' : undefined;
  if (listed?.kind !== kind) return 'The roster that the receipt names does not list the credential as this kind.';
  return token_digest === undefined || token_digest === listed.token_digest ? undefined : 'The roster lists another token for the credential.';
}
