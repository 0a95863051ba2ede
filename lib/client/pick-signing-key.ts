import type { KeyPurpose } from '@/lib/authority/trust-root';
import type { OwnKeysView } from '@/lib/contracts/console/keys';
import type { KeyKind, PublicKeyEntry } from '@/lib/shared/keys';

import { keyWords } from './key-words';

export type PickedKeys<Key> = {
  /** Usable here for this, the best first. */
  readonly usable: readonly Key[];
  /** Why there is none, in a sentence with its way out; null when there is one. */
  readonly why: string | null;
};

/** What documents of owners are signed for; everything else is signed by keys of the roster. */
const byOwners: readonly KeyPurpose[] = ['policy', 'root'];

/**
 * Which of the keys that this browser can use may sign this. Keys count where signed documents list them: the trust root for what
 * owners sign, the roster for the rest. A passkey goes first: it also resists whoever drives the browser. `also` are keys that the
 * documents at hand list themselves, and go before the others: a next root is signed by the owners it brings, too.
 */
export function pickSigningKey<Key extends { readonly entry: PublicKeyEntry }>(device: readonly Key[], own: OwnKeysView | undefined, purpose: KeyPurpose | undefined, also: readonly string[] = []): PickedKeys<Key> {
  if (own === undefined) return { usable: inOrder(device), why: device.length > 0 ? null : noneHere };
  if (purpose === undefined) {
    const enrolled = inOrder(device.filter(({ entry }) => own.enrolled.some(({ id }) => id === entry.id)));
    return { usable: enrolled, why: enrolled.length > 0 ? null : own.enrolled.length === 0 ? noneEnrolled : noneHere };
  }
  const asOwner = byOwners.includes(purpose);
  const listed = asOwner ? own.owner : own.enrolled;
  const kinds = own.may_sign[purpose];
  const counting = listed.filter(({ kind }) => kinds.includes(kind));
  const named = inOrder(device.filter(({ entry }) => also.includes(entry.id)));
  const usable = [...named, ...inOrder(device.filter((key) => !named.includes(key) && counting.some(({ id }) => id === key.entry.id)))];
  if (usable.length > 0) return { usable, why: null };
  return { usable, why: whyNone(purpose, listed, counting, own) };
}

/** Kinds of a new key that could sign this at once; undefined where any could. None where owners sign: the trust root has to list a key first. */
export function kindsToEnrol(purpose: KeyPurpose | undefined, own: OwnKeysView | undefined): readonly KeyKind[] | undefined {
  if (purpose === undefined) return undefined;
  return byOwners.includes(purpose) ? [] : own?.may_sign[purpose];
}

const noneHere = 'No key of yours is in this browser.';
const noneEnrolled = 'You have no enrolled key.';
const whatFor: { readonly [P in KeyPurpose]: string } = {
  low: 'what has low impact', medium: 'what has medium impact', high: 'what has high impact', critical: 'what has critical impact',
  policy: 'policies, rosters and grants', root: 'the trust root',
};

function whyNone(purpose: KeyPurpose, listed: readonly PublicKeyEntry[], counting: readonly PublicKeyEntry[], own: OwnKeysView): string {
  const asOwner = byOwners.includes(purpose);
  if (listed.length === 0) return asOwner ? 'The trust root lists no key of yours, so you cannot sign as an owner.' : noneEnrolled;
  const first = counting[0];
  if (first === undefined) {
    const allowed = own.may_sign[purpose].map((kind) => `a ${keyWords(kind)}`).join(' or ');
    return `The trust root does not let a ${keyWords(listed[0]?.kind ?? 'key of this kind')} sign ${whatFor[purpose]}: ${allowed === '' ? 'no kind of key may' : `${allowed} may`}.`;
  }
  const label = own.labels[first.id];
  const key = `Your ${keyWords(first.kind)} ${label === undefined ? first.id.slice(0, 8) : `“${label}”`}`;
  return first.kind === 'passkey' ? `${key} belongs to another address than this page.` : first.kind === 'file-ed25519' ? `${key} is in a file.` : `${key} is in another browser.`;
}

const rank = ({ entry }: { readonly entry: PublicKeyEntry }): number => (entry.kind === 'passkey' ? 0 : entry.kind === 'browser-ed25519' ? 1 : 2);
const inOrder = <Key extends { readonly entry: PublicKeyEntry }>(keys: readonly Key[]): readonly Key[] => [...keys].sort((a, b) => rank(a) - rank(b));
