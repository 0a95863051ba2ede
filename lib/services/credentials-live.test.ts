import { expect, test } from 'vitest';

import { aCredential } from '@/lib/testing/row-builders';

import { credentialsLive } from './credentials-live';

const now = '2027-03-01T14:00:00.000Z';
const [agent, service] = [aCredential(), aCredential({ kind: 'orchestrator' })];
const live = (rows: readonly (typeof agent)[], revoked: readonly string[] = []) =>
  credentialsLive({ find: (ids) => Promise.resolve(new Map(rows.filter(({ id }) => ids.includes(id)).map((row) => [row.id, row]))) }, { revoked: new Set(revoked) }, [agent.id, service.id], now);

test('credentials are live while every one of them is', async () => {
  expect(await live([agent, service])).toBe(true);
});

test.each([
  ['is gone', () => live([agent])],
  ['was revoked', () => live([agent, { ...service, revoked_at: '2027-03-01T13:00:00.000Z' }])],
  ['has run out', () => live([{ ...agent, expires_at: now }, service])],
  ['was revoked by what the log says, whatever its row does', () => live([agent, service], [agent.id])],
])('not when one %s', async (_how, judged) => {
  expect(await judged()).toBe(false);
});
