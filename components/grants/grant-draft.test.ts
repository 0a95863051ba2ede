import { expect, it } from 'vitest';

import { scopeWords } from '@/components/signing/scope-words';
import type { GrantView } from '@/lib/contracts/console/grants';

import { emptyDraft, inputOf, narrowedDraft } from './grant-draft';

const now = Date.parse('2030-01-01T00:00:00.000Z');
const wide: GrantView = {
  id: 'grt_0123456789abcdefghij12', agent: 'helper', tool: 'database', operation: null, scope: { limit: { lte: 100 }, table: 'orders' }, reason: 'Clean up.', uses: 5, used: 2,
  expires_at: '2030-01-01T04:00:00.000Z', created_at: '', created_by: '', state: 'standing', signers: [], document: null,
};

it('what is typed becomes exactly what is asked for', () => {
  const draft = { ...emptyDraft, agent: 'helper', key: 'mcp.server.read', uses: '3', span: 'hour', reason: ' Look. ', rows: [
    { parameter: 'limit', operator: 'lte', value: ' 10 ' }, { parameter: 'to', operator: 'domain_in', value: 'a.example, b.example' }, { parameter: 'table', operator: 'in', value: 'orders,7' },
  ] } as const;
  expect(inputOf(draft, now, null)).toEqual({
    agent: 'helper', tool: 'mcp.server', operation: 'read', uses: 3, reason: 'Look.', expires_at: '2030-01-01T01:00:00.000Z',
    scope: { limit: { lte: 10 }, to: { domain_in: ['a.example', 'b.example'] }, table: { in: ['orders', 7] } },
  });
  expect(inputOf({ ...draft, key: 'database.*', rows: [] }, now, null)).toMatchObject({ tool: 'database', operation: null, scope: null });
});

it('a narrower grant keeps every condition, no later end, and names what it replaces', () => {
  const input = inputOf({ ...narrowedDraft(wide), key: 'database.update', rows: [{ parameter: 'where', operator: 'starts_with', value: 'id' }] }, now, wide);
  expect(input).toEqual({
    agent: 'helper', tool: 'database', operation: 'update', uses: 3, reason: 'Clean up.', expires_at: wide.expires_at, replaces: wide.id,
    scope: { limit: { lte: 100 }, table: 'orders', where: { starts_with: ['id'] } },
  });
});

it('a scope is told in words', () => {
  expect(scopeWords(null)).toEqual([]);
  expect(scopeWords({ limit: { gte: 1, lte: 10 }, table: ['a', 'b'], force: false })).toEqual(['limit is at least 1', 'limit is at most 10', 'table is one of “a”, “b”', 'force is false']);
  expect(scopeWords('everything')).toEqual(['cannot be read']);
});
