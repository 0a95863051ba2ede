import { describe, expect, test } from 'vitest';

import type { ContextEntry } from '@/lib/context/entry';
import { act, attribute, id, request, stateAfter } from '@/lib/testing/context-builders';
import { policyFrom, policyText } from '@/lib/testing/engine-fixtures';
import { liveSession, noInherited } from '@/lib/testing/engine-session';
import type { Digest } from '@/lib/shared/ids';

import { decideInSession, restsOnFault } from './decide-in-session';
import type { InForce } from './in-force';

const inForceWith = (rules: string, header = ''): InForce => {
  const compiled = policyFrom(policyText(rules, header));
  const agent = { id: 'helper', role: 'assistant', scope: [], registered_by: 'a', suspended_at: null, created_at: '2026-03-01T08:00:00.000Z' };
  return {
    epoch: 1n, denied: null, root: null, roster: null, refusal: null, switches: [], revoked: new Set(), subjects: new Map(), agents: new Map([['helper', agent]]),
    policy: { revision: 1, digest: compiled.digest, compiled, text: '', format: 'yaml', signers: [], change: 'not_proved', applied_at: '2026-03-01T08:00:00.000Z' },
  };
};
const now = '2026-03-01T10:00:00.000Z';
const open = '  - { id: open, match: { tool: database }, action: ALLOW }\n';

describe('a fault while the evidence is gathered', () => {
  const decided = decideInSession({
    id: id(1), action: act('database.delete', { table: 't' }), session: liveSession(stateAfter(request('Delete t.')), { head: 'f'.repeat(64) as Digest }), inForce: inForceWith(open), now, grants: [], inherited: noInherited,
  });

  test('denies as internal, and the evidence says so', () => {
    expect(decided.decision).toMatchObject({ decision: 'DENY', code: 'internal' });
    expect(decided.snapshot.guards).toEqual([expect.objectContaining({ guard: 'evidence', verdict: 'failed' })]);
    expect(restsOnFault(decided)).toBe(true);
  });

  test('is not mistaken for a denial by policy', () => {
    const denied = decideInSession({ id: id(1), action: act('database.delete', { table: 't' }), session: liveSession(stateAfter(request('Delete t.'))), inForce: inForceWith(''), now, grants: [], inherited: noInherited });
    expect([denied.decision.code, restsOnFault(denied)]).toEqual(['denied_by_default', false]);
  });
});

test('facts about what only a′ names are taken in once they are known', () => {
  const rules = `${open}  - { id: copy, match: { tool: database, operation: delete, parameters: { table: customers } }, action: MODIFY, modify: [{ set: parameters.table, to: copy }] }
  - { id: mine, match: { tool: database, operation: delete, parameters: { table: copy } }, context: { target_ownership: { owned_by: requesting_user } }, action: STEP_UP }\n`;
  const inForce = inForceWith(rules, 'information: { owner: { from: ["ip:records"] } }');
  const about = (...entries: readonly ContextEntry[]) => decideInSession({ id: id(1), action: act('database.delete', { table: 'customers' }), session: liveSession(stateAfter(request('Delete the copy.'), ...entries)), inForce, now, grants: [], inherited: noInherited });
  expect(about().decision).toMatchObject({ decision: 'DEFER', deferral: { missing: [{ field: 'target_ownership', subject: 'database:copy' }] } });
  expect(about(attribute('database:copy', 'owner', 'mia@corp.example')).decision).toMatchObject({ decision: 'STEP_UP', transformed: { parameters: { table: 'copy' } } });
  expect(about(attribute('database:copy', 'owner', 'eve@corp.example')).decision.decision).toBe('MODIFY');
});
