import { browserKeyKinds } from '@/lib/authority/key-kinds';
import { rosterSchema, type Roster } from '@/lib/authority/roster';
import { rosterDigest, trustRootDigest } from '@/lib/authority/sign-documents';
import { trustRootSchema, type TrustRoot } from '@/lib/authority/trust-root';
import { nextTrustRoot, rotateServiceKey } from '@/lib/authority/next-trust-root';
import type { Ids } from '@/lib/ports/ids';
import { digestOf, toBase64, utf8 } from '@/lib/shared/encoding';
import { idPrefixes, keyId, type IdKind, type IdOf, type WorkspaceId } from '@/lib/shared/ids';
import type { KeyKind, PublicKeyEntry } from '@/lib/shared/keys';

import { nodeSha256 as sha256, testKey, type TestKey } from '../node-crypto';
import { testPasskey } from '../passkey';

/** Times of the told log begin here, long past for any database that it is written to. */
const beginning = Date.UTC(2024, 0, 8, 9, 0, 0);

/** A second of the told day. */
export const second = (n: number): string => new Date(beginning + n * 1000).toISOString();

/** Ids, salts and tokens that are the same for the same seed. */
export function seededIds(seed: string): Ids {
  let made = 0;
  const next = (what: string): Uint8Array => sha256(utf8(`${seed} ${what} ${String(++made)}`));
  return {
    make: <Kind extends IdKind>(kind: Kind) => `${idPrefixes[kind]}_${BigInt(`0x${Buffer.from(next(kind)).toString('hex')}`).toString(36).slice(0, 22).padStart(22, '0')}` as IdOf<Kind>,
    token: (prefix) => `${prefix}_${Buffer.from(next('token')).toString('base64url')}`,
    salt: () => next('salt').slice(0, 16),
  };
}

export const listed = (key: TestKey, kind: KeyKind): PublicKeyEntry => ({ id: keyId(key.signer.keyId), kind, public_key: toBase64(key.publicKey) });

export type Cast = ReturnType<typeof castOf>;

/** Who takes part, with their keys: an owner, two approvers, whom the work is for; two services, one of which gets a second key. */
export function castOf(seed: string, workspace: WorkspaceId) {
  const ids = seededIds(`${seed} cast`);
  const keys = {
    owner: testKey(`${seed} owner`), abe: testKey(`${seed} abe`), bea: testPasskey(`${seed} bea`, 'EdDSA', 'console.harbor.example'), abesNext: testKey(`${seed} abe's next`),
    rita: testKey(`${seed} rita`), plane: testKey(`${seed} plane`), planesNext: testKey(`${seed} plane's next`), console: testKey(`${seed} console`),
    recovery: testKey(`${seed} recovery`), stranger: testKey(`${seed} stranger`),
  };
  const people = { owner: ids.make('person'), abe: ids.make('person'), bea: ids.make('person'), rita: ids.make('person') };
  const credentials = { agent: ids.make('credential'), desk: ids.make('credential'), gate: ids.make('credential'), records: ids.make('credential') };
  const root: TrustRoot = {
    schema: trustRootSchema, workspace, version: 1, previous: null,
    owners: [{ person: people.owner, key: listed(keys.owner, 'file-ed25519') }],
    thresholds: { policy: 1, loosening: 1, root: 1, recovery: 1 },
    key_kinds: browserKeyKinds,
    services: [
      { key: listed(keys.plane, 'file-ed25519'), role: 'plane', from: 0 },
      { key: listed(keys.console, 'file-ed25519'), role: 'console', from: 0 },
    ],
    recovery: { key: listed(keys.recovery, 'file-ed25519') },
    cool_off_seconds: 10,
    created_at: second(0),
  };
  const roster: Roster = {
    schema: rosterSchema, workspace, version: 1, previous: null, root_version: 1, created_at: second(0),
    people: [
      { id: people.owner, email: 'owner@harbor.example', name: 'Olga Owner', roles: ['owner'], groups: [], keys: [listed(keys.owner, 'file-ed25519')] },
      { id: people.abe, email: 'abe@harbor.example', name: 'Abe', roles: ['approver'], groups: ['approver', 'data-owner'], keys: [listed(keys.abe, 'browser-ed25519')] },
      { id: people.bea, email: 'bea@harbor.example', name: 'Bea', roles: ['approver'], groups: ['backup'], keys: [listed(keys.bea, 'passkey')] },
      { id: people.rita, email: 'requester@harbor.example', name: 'Rita', roles: ['requester'], groups: [], keys: [listed(keys.rita, 'browser-ed25519')] },
    ],
    credentials: [
      { id: credentials.desk, kind: 'orchestrator', token_digest: digestOf(sha256, utf8('desk')), scope: { humans: ['requester@harbor.example'] }, expires_at: second(86_400) },
      { id: credentials.records, kind: 'information_point', token_digest: digestOf(sha256, utf8('records')), scope: { attributes: ['owner'] }, expires_at: second(86_400) },
    ],
  };
  return { seed, workspace, keys, people, credentials, root, roster };
}

/** Abe has a new key, Bea approves payments too, and the information point's credential is gone. */
export const nextRoster = ({ roster, keys, people, credentials }: Cast): Roster => ({
  ...roster,
  version: 2,
  previous: rosterDigest(roster, sha256),
  created_at: second(1),
  people: roster.people.map((one) => {
    if (one.id === people.abe) return { ...one, keys: [listed(keys.abesNext, 'browser-ed25519')] };
    return one.id === people.bea ? { ...one, groups: ['approver', 'backup'] } : one;
  }),
  credentials: roster.credentials.filter(({ id }) => id !== credentials.records),
});

/** The plane changes over to its second key: both may sign from `from` to `until`. */
export const nextRoot = ({ root, keys }: Cast, from: number, until: number): TrustRoot =>
  rotateServiceKey(root, { retired: keyId(keys.plane.signer.keyId), successor: listed(keys.planesNext, 'file-ed25519'), from, until }, { createdAt: second(2), sha256 });

/** Somebody whom the recovery key would make the owner, with another key. */
export const recoveredRoot = (before: TrustRoot, { keys, people }: Cast): TrustRoot =>
  nextTrustRoot(before, { owners: [{ person: people.abe, key: listed(keys.abesNext, 'browser-ed25519') }] }, { createdAt: second(4), sha256 });

export const fingerprintOf = ({ root }: Cast) => trustRootDigest(root, sha256);
