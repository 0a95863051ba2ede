import { browserKeyKinds } from '@/lib/authority/key-kinds';
import { rosterSchema, type Roster, type RosterPerson } from '@/lib/authority/roster';
import { trustRootDigest } from '@/lib/authority/sign-documents';
import { trustRootSchema, type TrustRoot } from '@/lib/authority/trust-root';
import type { Signer } from '@/lib/shared/dsse';
import { toBase64 } from '@/lib/shared/encoding';
import { keyId, type IdKind, type IdOf, type PersonId } from '@/lib/shared/ids';
import { idPrefixes } from '@/lib/shared/ids';
import type { KeyKind, PublicKeyEntry } from '@/lib/shared/keys';

import { nodeSha256, nodeVerifySignature, testKey } from './node-crypto';

export const cryptography = { verify: nodeVerifySignature, sha256: nodeSha256 };

/** A well-formed id that says what it stands for: `per_ada000…`. */
export const testId = <Kind extends IdKind>(kind: Kind, name: string): IdOf<Kind> => `${idPrefixes[kind]}_${name.padEnd(24, '0')}` as IdOf<Kind>;

export const person = (name: string): PersonId => testId('person', name);

/** A key as documents list it, with its signer; the same on every run. */
export function listedKey(name: string, kind: KeyKind = 'file-ed25519'): { readonly entry: PublicKeyEntry; readonly signer: Signer } {
  const { publicKey, signer } = testKey(name);
  return { entry: { id: keyId(signer.keyId), kind, public_key: toBase64(publicKey) }, signer };
}

/** A first root with owner Ada, one service key for each process, and browser keys for everything. */
export const testRoot = (changes: Partial<TrustRoot> = {}): TrustRoot => ({
  schema: trustRootSchema,
  workspace: testId('workspace', 'halden'),
  version: 1,
  previous: null,
  owners: [{ person: person('ada'), key: listedKey('ada').entry }],
  thresholds: { policy: 1, loosening: 1, root: 1, recovery: 1 },
  key_kinds: browserKeyKinds,
  services: [
    { key: listedKey('plane').entry, role: 'plane', from: 0 },
    { key: listedKey('console').entry, role: 'console', from: 0 },
  ],
  recovery: { key: listedKey('recovery').entry },
  cool_off_seconds: 0,
  created_at: '2027-03-01T09:00:00.000Z',
  ...changes,
});

/** The root that follows another, changed as said. */
export const nextRoot = (before: TrustRoot, changes: Partial<TrustRoot> = {}): TrustRoot => ({
  ...before,
  version: before.version + 1,
  previous: trustRootDigest(before, nodeSha256),
  ...changes,
});

export const listedPerson = (name: string, changes: Partial<RosterPerson> = {}): RosterPerson => ({
  id: person(name),
  email: `${name}@halden.example`,
  name,
  roles: ['approver'],
  groups: ['security'],
  keys: [listedKey(name).entry],
  ...changes,
});

export const testRoster = (changes: Partial<Roster> = {}): Roster => ({
  schema: rosterSchema,
  workspace: testId('workspace', 'halden'),
  version: 1,
  previous: null,
  root_version: 1,
  people: [listedPerson('ada', { roles: ['owner', 'admin', 'approver'] }), listedPerson('ben'), listedPerson('priya', { roles: ['requester'], groups: [] })],
  credentials: [],
  created_at: '2027-03-01T09:05:00.000Z',
  ...changes,
});
