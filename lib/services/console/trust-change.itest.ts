import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { browserKeyKinds, defaultKeyKinds } from '@/lib/authority/key-kinds';
import { trustRootDigest } from '@/lib/authority/sign-documents';
import type { PreparedTrustChange } from '@/lib/contracts/console/trust';
import { generateKey } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { changeRoster, enrolled, listed, signText, testConsole, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { listedFile, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { runCli } from '@/lib/testing/run-cli';
import { changeRoot, signPrepared, type Owner } from '@/lib/testing/trust-ceremony';

import type { ConsoleParts } from './console-parts';
import { prepareTrustChange } from './prepare-trust-change';
import { signTrustChange } from './sign-trust-change';
import { trustView } from './views/trust-view';
import { withdrawCeremony } from './withdraw-ceremony';

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let olga: Owner;
let abe: Owner;

beforeEach(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole(plane));
  olga = { person: plane.personOf('owner'), key: plane.owner };
  const second = plane.personOf('second');
  abe = { person: second, key: await enrolled(parts, olga, second) };
}, 60_000);
afterEach(async () => {
  await close();
  await plane.stop();
});

const rootNow = async () => valueOf(await trustView(parts)).root;
const ownersOf = (...owners: readonly Owner[]) => owners.map((owner) => ({ person: owner.person, key: owner === olga ? listedFile(owner.key) : listed(owner.key) }));
const bothOwners = () => changeRoot(parts, { owners: ownersOf(olga, abe) }, olga);
const ready = async () => (await (await fetch(`${plane.url}/readyz`)).json()) as { readonly status: string };
const kinds = async () => (await parts.log.search({}, { limit: 5 })).rows.map(({ kind }) => kind);

describe('a change of the trust root', () => {
  it('by its one owner is in force at once, in the console and in the plane, and pinned', async () => {
    const before = await rootNow();
    expect(await changeRoot(parts, { cool_off_seconds: 600 }, olga)).toMatchObject({ state: 'in_force', version: 2 });
    expect(await rootNow()).toMatchObject({ version: 2, cool_off_seconds: 600, previous: trustRootDigest(before, nodeSha256) });
    expect((await parts.inForce.current()).denied).toBeNull();
    expect(await ready()).toMatchObject({ status: 'ready' });
    expect(valueOf(await parts.pins.read())?.root_version).toBe(2);
    expect((await kinds())[0]).toBe('trust_root_changed');
    expect(await unreadableReceipts(parts)).toEqual([]);
  });

  it('brings roster and policy, signed anew, into force with it where their signatures would no longer do', async () => {
    await bothOwners();
    const prepared = valueOf(await prepareTrustChange(parts, { thresholds: { policy: 2, loosening: 2, root: 2 } }));
    expect([prepared.trust_root.needed, prepared.roster?.needed, prepared.policy?.needed, prepared.policy_revision?.needed]).toEqual([1, 2, 2, 2]);
    expect(valueOf(await signPrepared(parts, olga, prepared))).toMatchObject({ state: 'waiting', lacks: ['the roster', 'the policy', 'the revision of the policy'] });
    expect((await parts.inForce.refresh()).root?.root.thresholds.loosening).toBe(1);
    const [pending] = valueOf(await trustView(parts)).pending;
    expect(pending?.roster?.signed.map(({ name }) => name)).toEqual(['Olga Owner']);
    expect(valueOf(await signPrepared(parts, abe, prepared))).toMatchObject({ state: 'in_force', version: 3 });
    expect((await kinds()).slice(0, 3)).toEqual(['policy_applied', 'roster_changed', 'trust_root_changed']);
    const seen = await parts.inForce.refresh();
    expect(seen).toMatchObject({ denied: null, policy: { revision: 2 } });
    expect(seen.policy?.signers).toHaveLength(2);
    expect(await ready()).toMatchObject({ status: 'ready' });
    expect(valueOf(await trustView(parts)).pending).toEqual([]);
    expect(await unreadableReceipts(parts)).toEqual([]);
  });

  it('is signed by as many owners as the version before asks for, whatever the next one asks', async () => {
    await bothOwners();
    await changeRoot(parts, { thresholds: { policy: 1, loosening: 1, root: 2 } }, olga);
    const prepared = valueOf(await prepareTrustChange(parts, { thresholds: { policy: 1, loosening: 1, root: 1 } }));
    expect(valueOf(await signPrepared(parts, olga, prepared))).toMatchObject({ state: 'waiting', lacks: ['the trust root'] });
    expect(valueOf(await signPrepared(parts, olga, prepared))).toMatchObject({ state: 'waiting' });
    expect((await rootNow()).thresholds.root).toBe(2);
    expect(valueOf(await signPrepared(parts, abe, prepared))).toMatchObject({ state: 'in_force', version: 4 });
  });

  it('that removes an owner takes their word from them at once', async () => {
    await bothOwners();
    await changeRoot(parts, { owners: ownersOf(abe) }, olga, abe);
    expect((await rootNow()).owners.map(({ person }) => person)).toEqual([abe.person]);
    const prepared = valueOf(await prepareTrustChange(parts, { cool_off_seconds: 60 }));
    const mine = await signText(prepared.trust_root.document, olga.key);
    expect(await signTrustChange(parts, olga.person, { change: prepared.change, at: prepared.at, trust_root: mine })).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    await expect(changeRoster(parts, olga, { kind: 'set_person', person: olga.person, roles: ['owner'], groups: [] })).rejects.toThrow('roster_invalid');
  });

  it('keeps what an owner signed for one change from carrying another', async () => {
    const prepared = valueOf(await prepareTrustChange(parts, { cool_off_seconds: 60 }));
    const signature = await signText(prepared.trust_root.document, olga.key);
    const other = { change: { cool_off_seconds: 0, owners: ownersOf(abe) }, at: prepared.at, trust_root: signature };
    expect(await signTrustChange(parts, abe.person, other)).toMatchObject({ ok: false, error: { code: 'signature_invalid' } });
    expect((await rootNow()).version).toBe(1);
  });

  it('waits for nobody who is no owner: an admin’s session and a stranger’s key change nothing', async () => {
    const prepared = valueOf(await prepareTrustChange(parts, { owners: ownersOf(olga, abe) }));
    const stranger = generateKey();
    const attempt = { change: prepared.change, at: prepared.at, trust_root: await signText(prepared.trust_root.document, stranger) };
    expect(await signTrustChange(parts, abe.person, attempt)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(await parts.ceremonies.open()).toEqual([]);
  });

  it('that would lock everybody out is not even prepared', async () => {
    const refusal = async (change: Parameters<typeof prepareTrustChange>[1]) => {
      const result = await prepareTrustChange(parts, change);
      return result.ok ? 'prepared' : `${result.error.code}: ${result.error.detail}`;
    };
    expect(await refusal({ thresholds: { policy: 1, loosening: 2, root: 1 } })).toMatch(/^trust_root_invalid: Only 1 owners/);
    expect(await refusal({ key_kinds: { ...browserKeyKinds, root: [] } })).toMatch(/^trust_root_invalid: Only 0 owners/);
    expect(await refusal({ owners: [{ person: olga.person, key: { ...listedFile(olga.key), id: listed(abe.key).id } }] })).toMatch(/not the hash/);
    expect(await refusal({ key_kinds: browserKeyKinds })).toMatch(/change nothing/);
    expect(await refusal({ service: { does: 'revoke', key: listed(abe.key).id, last_good: 3 } })).toMatch(/does not list/);
  });

  it('does not withdraw the key with which the console has to record it', async () => {
    const root = await rootNow();
    const [consoleKey] = root.services.filter(({ role }) => role === 'console');
    if (!consoleKey) throw new Error('No console key.');
    const prepared = valueOf(await prepareTrustChange(parts, { service: { does: 'revoke', key: consoleKey.key.id, last_good: 0 } }));
    expect(await signPrepared(parts, olga, prepared)).toMatchObject({ ok: false, error: { code: 'service_key_not_delegated' } });
    expect((await parts.inForce.refresh()).denied).toBeNull();
    expect((await rootNow()).version).toBe(1);
  });

  it('makes other changes that wait void, and one that was withdrawn takes no signature', async () => {
    await bothOwners();
    await changeRoot(parts, { thresholds: { policy: 1, loosening: 1, root: 2 } }, olga);
    const first = valueOf(await prepareTrustChange(parts, { cool_off_seconds: 60 }));
    const second = valueOf(await prepareTrustChange(parts, { cool_off_seconds: 120 }));
    valueOf(await signPrepared(parts, olga, first));
    valueOf(await signPrepared(parts, olga, second));
    valueOf(await withdrawCeremony(parts, first.digest));
    expect(await signPrepared(parts, abe, first)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    const third: PreparedTrustChange = valueOf(await prepareTrustChange(parts, { key_kinds: { ...defaultKeyKinds, root: browserKeyKinds.root, policy: browserKeyKinds.policy } }));
    valueOf(await signPrepared(parts, abe, third));
    valueOf(await signPrepared(parts, olga, third));
    expect(await signPrepared(parts, abe, second)).toMatchObject({ ok: false });
    expect(await parts.ceremonies.open()).toEqual([]);
  });

  it('leaves a log that verifies offline: each root, roster and policy by what was in force at its place', async () => {
    await bothOwners();
    await changeRoot(parts, { thresholds: { policy: 2, loosening: 2, root: 2 } }, olga, abe);
    const { size } = await parts.log.head();
    await vi.waitUntil(async () => ((await parts.log.latestCheckpoint())?.size ?? 0n) >= size, { timeout: 20_000 });
    const folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-ceremony-'));
    const env = { DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory };
    const bundle = path.join(folder, 'all.bundle');
    expect((await runCli(env, 'export', '--out', bundle)).code).toBe(0);
    const verified = await runCli({}, 'verify', bundle, '--root', plane.provisioned.fingerprint);
    expect(verified.code, verified.out + verified.err).toBe(0);
    await rm(folder, { recursive: true });
  }, 60_000);

  it('collects nothing from a row that somebody wrote', async () => {
    await bothOwners();
    await changeRoot(parts, { thresholds: { policy: 1, loosening: 1, root: 2 } }, olga);
    const prepared = valueOf(await prepareTrustChange(parts, { cool_off_seconds: 60 }));
    valueOf(await signPrepared(parts, olga, prepared));
    const row = await parts.ceremonies.find(prepared.digest);
    const forged = JSON.parse(row?.envelopes ?? '{}') as { trust_root: string };
    const envelope = JSON.parse(forged.trust_root) as { signatures: { keyid: string; sig: string }[] };
    envelope.signatures.push({ keyid: abe.key.id, sig: envelope.signatures[0]?.sig ?? '' });
    await parts.transactor.withHead(async (tx) => { await parts.ceremonies.keep(tx, prepared.digest, JSON.stringify({ trust_root: JSON.stringify(envelope) })); });
    expect(valueOf(await trustView(parts)).pending[0]?.trust_root.signed).toEqual([]);
    expect(valueOf(await signPrepared(parts, olga, prepared))).toMatchObject({ state: 'waiting' });
  });
});
