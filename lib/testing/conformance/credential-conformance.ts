import { expect, test } from 'vitest';

import type { CredentialStore } from '@/lib/ports/credential-store';
import type { Transactor } from '@/lib/ports/transaction';
import { aCredential, aDigest, anAgent, later } from '@/lib/testing/row-builders';

export type CredentialFixture = {
  readonly transactor: Transactor;
  readonly credentials: CredentialStore;
  /** Makes every idempotency key look this many hours older. */
  readonly ageKeys: (hours: number) => Promise<void>;
};

export function credentialConformance(open: () => CredentialFixture): void {
  const add = async (...rows: readonly ReturnType<typeof aCredential>[]) => {
    for (const row of rows) await open().transactor.withHead((tx) => open().credentials.add(tx, row));
  };

  test('a credential is found by its token’s digest and by id, as it was made', async () => {
    const { credentials } = open();
    const [agent, desk] = [aCredential(), aCredential({ kind: 'orchestrator', subject: 'desk', scopes: [], created_at: later })];
    await add(agent, desk);
    expect(await credentials.findByToken(agent.token_digest)).toEqual(agent);
    expect(await credentials.findByToken(aDigest('guessed'))).toBeUndefined();
    expect(await credentials.find([desk.id])).toEqual(new Map([[desk.id, desk]]));
    expect(await credentials.list()).toEqual([desk, agent]);
  });

  test('two credentials never have one token', async () => {
    const first = aCredential();
    await add(first);
    await expect(add(aCredential({ token_digest: first.token_digest }))).rejects.toThrow();
  });

  test('revoking works once and shows at once', async () => {
    const { transactor, credentials } = open();
    const credential = aCredential();
    await add(credential);
    const revoke = () => transactor.withHead((tx) => credentials.revoke(tx, credential.id, later));
    expect([await revoke(), await revoke()]).toEqual([true, false]);
    expect((await credentials.findByToken(credential.token_digest))?.revoked_at).toBe(later);
  });

  test('agents are registered once, suspended and taken back', async () => {
    const { transactor, credentials } = open();
    const [clerk, scout] = [anAgent(), anAgent({ id: 'scout', scope: [] })];
    for (const agent of [scout, clerk]) await transactor.withHead((tx) => credentials.addAgent(tx, agent));
    expect([...(await credentials.agents()).values()]).toEqual([clerk, scout]);
    expect([...(await credentials.agents(['scout', 'nobody'])).keys()]).toEqual(['scout']);
    await expect(transactor.withHead((tx) => credentials.addAgent(tx, clerk))).rejects.toThrow();
    const suspend = (id: string, at: string | null) => transactor.withHead((tx) => credentials.suspendAgent(tx, id, at));
    expect(await suspend('nobody', later)).toBe(false);
    expect(await suspend('clerk', later)).toBe(true);
    expect((await credentials.agents(['clerk'])).get('clerk')?.suspended_at).toBe(later);
    await suspend('clerk', null);
    expect((await credentials.agents(['clerk'])).get('clerk')?.suspended_at).toBeNull();
  });

  test('an idempotency key remembers the first call for a day, per credential, and then is free again', async () => {
    const { transactor, credentials, ageKeys } = open();
    const [mine, theirs] = [aCredential().id, aCredential().id];
    const use = (credential: typeof mine, subject: string, body: string) =>
      transactor.withHead((tx) => credentials.idempotent(tx, { credential, key: 'k', body_digest: body, subject }));
    expect(await use(mine, 'act_1', 'a')).toBeUndefined();
    expect(await use(mine, 'act_2', 'b')).toEqual({ subject: 'act_1', body_digest: 'a' });
    expect(await use(theirs, 'act_3', 'a')).toBeUndefined();
    expect(await credentials.findIdempotent(mine, 'k')).toEqual({ subject: 'act_1', body_digest: 'a' });
    await ageKeys(25);
    expect(await credentials.findIdempotent(mine, 'k')).toBeUndefined();
    expect(await use(mine, 'act_4', 'c')).toBeUndefined();
    expect(await credentials.findIdempotent(mine, 'k')).toEqual({ subject: 'act_4', body_digest: 'c' });
  });

  test('within one transaction the second use of a key finds the first', async () => {
    const { transactor, credentials } = open();
    const credential = aCredential().id;
    const found = await transactor.withHead(async (tx) => {
      await credentials.idempotent(tx, { credential, key: 'k', body_digest: 'a', subject: 'act_1' });
      return credentials.idempotent(tx, { credential, key: 'k', body_digest: 'a', subject: 'act_2' });
    });
    expect(found?.subject).toBe('act_1');
  });
}
