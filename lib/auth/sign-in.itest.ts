import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { randomIds } from '@/lib/server/random-ids';
import { changePassword } from '@/lib/services/console/change-password';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { suspendPerson } from '@/lib/services/console/suspend-person';
import type { PersonId } from '@/lib/shared/ids';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { livePerson } from './live-person';
import { signIn } from './sign-in';
import { signOut } from './sign-out';
import { signInLimits } from './sign-in-limits';

const password = 'correct horse battery staple';
let database: TestStores;
let stateDirectory: string;
let close: () => Promise<void>;
let parts: ConsoleParts;

beforeAll(async () => {
  database = await openTestStores();
  stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-sign-in-'));
  ({ parts, close } = await testConsole({ databaseUrl: database.url, workspace: database.workspace, stateDirectory }));
});
afterAll(async () => {
  await close();
  await database.close();
  await rm(stateDirectory, { recursive: true, force: true });
});

async function person(email: string): Promise<PersonId> {
  const id = randomIds().make('person');
  const password_hash = await parts.passwords.hash(password);
  await parts.transactor.withHead((tx) => parts.people.add(tx, { id, email, name: 'Somebody', password_hash, suspended_at: null, signed_out_at: null }));
  return id;
}

const auth = () => ({ ...parts, limits: signInLimits(), report: () => undefined });
const claims = async (email: string) => {
  const { person: row, at } = valueOf(await signIn(auth(), { email, password }, '10.0.0.1'));
  return { person: row.id, signed_in_at: at };
};
const live = async (session: Awaited<ReturnType<typeof claims>>) => (await livePerson(parts.people, session, await parts.reads.now()))?.id;

describe('signing in', () => {
  it('takes the address in any spelling of the same one, and leaves a receipt', async () => {
    const id = await person('ann@harbor.example');
    expect((await claims(' ANN@Harbor.example ')).person).toBe(id);
    const [row] = (await parts.log.search({ person: id }, { limit: 1 })).rows;
    expect(row?.kind).toBe('user_administered');
  });

  it('gives one answer to an unknown address, a wrong password and a suspended person', async () => {
    const suspended = await person('sam@harbor.example');
    const other = await person('olga@harbor.example');
    valueOf(await suspendPerson(parts, other, suspended));
    const tries = [
      { email: 'nobody@harbor.example', password },
      { email: 'olga@harbor.example', password: 'wrong wrong wrong' },
      { email: 'sam@harbor.example', password },
    ];
    const answers = await Promise.all(tries.map((credentials) => signIn(auth(), credentials, '10.0.0.1')));
    expect(new Set(answers.map((answer) => (answer.ok ? 'in' : `${answer.error.code} ${answer.error.detail}`))).size).toBe(1);
    expect(answers.every(({ ok }) => !ok)).toBe(true);
  });

  it('stops after ten failures, the right password included', async () => {
    await person('pat@harbor.example');
    const limited = auth();
    for (let i = 0; i < 10; i++) await signIn(limited, { email: 'pat@harbor.example', password: `wrong number ${i}` }, '10.0.0.9');
    const result = await signIn(limited, { email: 'pat@harbor.example', password }, '10.0.0.9');
    expect(result.ok ? 'in' : result.error.code).toBe('rate_limited');
  });
});

it('tries that run at once stop at the same number', async () => {
  await person('una@harbor.example');
  const limited = auth();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => signIn(limited, { email: 'una@harbor.example', password: `wrong number ${i}` }, '10.0.0.8')));
  expect(answers.filter((answer) => !answer.ok && answer.error.code === 'rate_limited')).toHaveLength(10);
});

describe('a session ends', () => {
  it('when the person is suspended', async () => {
    const id = await person('eve@harbor.example');
    const session = await claims('eve@harbor.example');
    expect(await live(session)).toBe(id);
    valueOf(await suspendPerson(parts, await person('adm@harbor.example'), id));
    expect(await live(session)).toBeUndefined();
  });

  it('when the password is changed, and a new one begins', async () => {
    const id = await person('lee@harbor.example');
    const session = await claims('lee@harbor.example');
    const wrong = await changePassword(parts, id, { current: 'not it at all', next: 'another long password' });
    expect(wrong.ok ? 'changed' : wrong.error.code).toBe('forbidden');
    valueOf(await changePassword(parts, id, { current: password, next: 'another long password' }));
    expect(await live(session)).toBeUndefined();
    const again = valueOf(await signIn(auth(), { email: 'lee@harbor.example', password: 'another long password' }, '10.0.0.1'));
    expect(await live({ person: again.person.id, signed_in_at: again.at })).toBe(id);
  });

  it('when the person signs out, in every browser and for every copy of its cookie', async () => {
    const id = await person('ivy@harbor.example');
    const session = await claims('ivy@harbor.example');
    expect(await live(session)).toBe(id);
    await signOut(auth(), session);
    expect(await live(session)).toBeUndefined();
    await signOut(auth(), { person: 'per_0123456789abcdefghij' });
  });

  it('twelve hours after signing in', async () => {
    await person('max@harbor.example');
    const session = await claims('max@harbor.example');
    const later = new Date(Date.parse(session.signed_in_at) + 12 * 3600_000).toISOString();
    expect(await livePerson(parts.people, session, later)).toBeUndefined();
  });

  it.each([[{}], [{ person: 'per_0123456789abcdefghij' }], [{ person: 7, signed_in_at: 'x' }], [{ person: 'per_0123456789abcdefghij', signed_in_at: 'never' }]])(
    'or never began: %j',
    async (made) => {
      expect(await livePerson(parts.people, made, await parts.reads.now())).toBeUndefined();
    },
  );
});
