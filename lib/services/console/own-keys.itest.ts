import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { signKeyEnrolment } from '@/lib/authority/key-enrolment';
import { createPool } from '@/lib/db/pool';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { envelopeText, type Signer } from '@/lib/shared/dsse';
import type { PersonId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';
import { changeRoster, codeOf, listed, testConsole, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { testPasskey } from '@/lib/testing/passkey';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

import type { ConsoleParts } from './console-parts';
import { enrolKey } from './enrol-key';
import { prepareRosterChange } from './prepare-roster-change';
import { renameKey } from './rename-key';
import { revokeKey } from './revoke-key';
import { enrolmentsView, ownKeysView } from './views/keys-view';

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let owner: { readonly person: PersonId; readonly key: SigningKey };

const keysOf = async (person: PersonId, from = parts) => (await from.inForce.refresh()).roster?.roster.people.find((one) => one.id === person)?.keys ?? [];
const viewerOf = (who: string) => viewerById(parts, plane.personOf(who));
const enrolment = async (person: PersonId, key: PublicKeyEntry, ...signers: readonly Signer[]) =>
  envelopeText(await signKeyEnrolment({ workspace: parts.workspace, person, key, at: new Date().toISOString() }, signers));

/** Enrols a key of this person and has the owner sign it in. */
async function enrolled(who: string, key: PublicKeyEntry, signer: Signer): Promise<void> {
  valueOf(await enrolKey(parts, await viewerOf(who), { envelope: await enrolment(plane.personOf(who), key, signer) }));
  await changeRoster(parts, owner, { kind: 'enrol_key', enrolment: key.id });
}

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole(plane));
  owner = { person: plane.personOf('owner'), key: plane.owner };
});
afterAll(async () => {
  await close();
  await plane.stop();
});

describe('a passkey', () => {
  const passkey = testPasskey('approver phone');

  it('is enrolled by its own assertion, signed in by an owner, and listed with what it may sign', async () => {
    await enrolled('approver', passkey.entry, passkey.signer);
    expect(await keysOf(plane.personOf('approver'))).toEqual([passkey.entry]);
    const view = await ownKeysView(parts, await viewerOf('approver'));
    expect(view).toMatchObject({ enrolled: [passkey.entry], owner: [], waiting: [], revoked: [] });
    expect(view.history[passkey.entry.id]).toMatchObject({ added: expect.any(String) as string, used: null });
  });

  it('is not enrolled by a raw signature in its name', async () => {
    const other = testPasskey('approver tablet');
    const raw: Signer = { keyId: other.entry.id, sign: generateKey().signer.sign };
    expect(codeOf(await enrolKey(parts, await viewerOf('approver'), { envelope: await enrolment(plane.personOf('approver'), other.entry, raw) }))).toBe('signature_invalid');
  });

  it('waits with the word of an earlier key, which an owner sees', async () => {
    const next = testPasskey('approver next', 'EdDSA');
    valueOf(await enrolKey(parts, await viewerOf('approver'), { envelope: await enrolment(plane.personOf('approver'), next.entry, next.signer, passkey.signer) }));
    expect((await ownKeysView(parts, await viewerOf('approver'))).waiting).toMatchObject([{ key: next.entry.id, kind: 'passkey' }]);
    const { enrolments } = await enrolmentsView(parts);
    expect(enrolments.find(({ id: waiting }) => waiting === next.entry.id)?.by_earlier_key).toBe(true);
    valueOf(await revokeKey(parts, await viewerOf('approver'), { key: next.entry.id }));
    expect((await enrolmentsView(parts)).enrolments).toEqual([]);
  });
});

describe('the name of a key', () => {
  it('is its person’s to give, and changes nothing else', async () => {
    const passkey = testPasskey('approver phone').entry;
    valueOf(await renameKey(parts, await viewerOf('approver'), { key: passkey.id, label: 'Phone' }));
    expect((await ownKeysView(parts, await viewerOf('approver'))).labels).toEqual({ [passkey.id]: 'Phone' });
    expect(codeOf(await renameKey(parts, await viewerOf('second'), { key: passkey.id, label: 'Mine' }))).toBe('not_found');
    expect(await keysOf(plane.personOf('approver'))).toEqual([passkey]);
  });
});

describe('a revoked key', () => {
  const key = generateKey();

  it('counts no longer, in this process and in one that starts afterwards', async () => {
    await enrolled('second', listed(key), key.signer);
    const revoked = valueOf(await revokeKey(parts, await viewerOf('second'), { key: key.id }));
    expect(revoked).toEqual({ key: key.id, was: 'enrolled', still_owner: false });
    expect(await keysOf(plane.personOf('second'))).toEqual([]);
    const other = await testConsole(plane);
    expect(await keysOf(plane.personOf('second'), other.parts)).toEqual([]);
    await other.close();
    expect((await ownKeysView(parts, await viewerOf('second'))).revoked).toMatchObject([{ key: key.id }]);
  });

  it('is not brought back by any row: the log says that it ended', async () => {
    const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
    await pool.query(`UPDATE key_enrolments SET state = 'waiting' WHERE key_id = $1`, [key.id]);
    expect(codeOf(await prepareRosterChange(parts, { kind: 'enrol_key', enrolment: key.id }))).toBe('not_found');
    await pool.query(`DELETE FROM key_enrolments WHERE key_id = $1`, [key.id]);
    await pool.end();
    expect(await keysOf(plane.personOf('second'))).toEqual([]);
    expect(codeOf(await enrolKey(parts, await viewerOf('second'), { envelope: await enrolment(plane.personOf('second'), listed(key), key.signer) }))).toBe('conflict');
  });

  it('is revoked once, and by nobody else', async () => {
    expect(codeOf(await revokeKey(parts, await viewerOf('second'), { key: key.id }))).toBe('not_found');
    const phone = testPasskey('approver phone').entry;
    expect(codeOf(await revokeKey(parts, await viewerOf('second'), { key: phone.id }))).toBe('not_found');
    expect(await keysOf(plane.personOf('approver'))).toEqual([phone]);
  });
});
