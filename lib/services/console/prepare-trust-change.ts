import type { TrustRootChange } from '@/lib/authority/change-trust-root';
import type { DocumentOfChange, PreparedTrustChange } from '@/lib/contracts/console/trust';
import type { VerifiedRoster } from '@/lib/authority/roster';
import { trustRootBytes } from '@/lib/authority/sign-documents';
import { fromUtf8 } from '@/lib/shared/encoding';
import { ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { ConsoleParts } from './console-parts';
import { toSign } from './prepare-set-up';
import { trustBase, type TrustBase } from './trust-base';
import { trustDocuments, type DocumentNeed, type TrustDocuments } from './trust-documents';
import { signedSoFar, type Envelopes, type Signed } from './trust-signatures';

/** The documents of a change for owners to sign. Nothing is stored. Failures: `trust_root_invalid`, and those of the authority in force. */
export async function prepareTrustChange(parts: ConsoleParts, change: TrustRootChange): Promise<Result<PreparedTrustChange>> {
  const base = await trustBase(parts);
  if (!base.ok) return base;
  const at = await parts.reads.now();
  const documents = await trustDocuments(base.value, change, at, parts.cryptography);
  return documents.ok ? ok(await shownChange(parts, base.value, change, at, documents.value, {})) : documents;
}

/** A change with its documents and the signatures that they have. */
export async function shownChange(
  { cryptography }: Pick<ConsoleParts, 'cryptography'>,
  base: TrustBase,
  change: TrustRootChange,
  at: Timestamp,
  documents: TrustDocuments,
  envelopes: Envelopes,
): Promise<PreparedTrustChange> {
  const signed = await signedSoFar(documents, envelopes, cryptography.verify);
  const { trust_root, roster, policy, policy_revision } = documents.needs;
  if (!trust_root) throw new TypeError('A change of the trust root has a trust root.');
  const shown = (need: DocumentNeed | undefined, by: Signed | undefined) => (need ? shownDocument(need, by, base.roster) : null);
  return {
    change,
    at,
    digest: documents.digest,
    version: documents.root.version,
    before: fromUtf8(trustRootBytes(base.root)) ?? '',
    trust_root: shownDocument(trust_root, signed.trust_root, base.roster),
    roster: shown(roster, signed.roster),
    policy: shown(policy, signed.policy),
    policy_revision: shown(policy_revision, signed.policy_revision),
  };
}

function shownDocument({ part, judge, purpose, needed }: DocumentNeed, signed: Signed | undefined, { roster }: VerifiedRoster): DocumentOfChange {
  const nameOf = (person: string) => roster.people.find(({ id }) => id === person)?.name ?? person;
  const able = judge.owners.filter(({ key }) => judge.key_kinds[purpose].includes(key.kind));
  const people = [...new Set(able.map(({ person }) => person))];
  return {
    document: toSign(part),
    needed,
    may_sign: people.map((person) => ({ person, name: nameOf(person), keys: able.filter((owner) => owner.person === person).map(({ key }) => key.id) })),
    signed: (signed?.people ?? []).map((person) => ({ person, name: nameOf(person) })),
  };
}
