import { describe, expect, test } from 'vitest';

import type { Snapshot } from '@/lib/context/snapshot';
import { decideAbout, policyFrom, policyText } from '@/lib/testing/engine-fixtures';

import type { Decision } from './decision';

const about = (rules: string, limit: number, more: Partial<Snapshot> = {}): Decision => decideAbout(policyFrom(policyText(rules)), 'database.delete', { table: 't', limit }, more);
const rule = (id: string, more: string): string => `  - { id: ${id}, match: { tool: database }, ${more} }\n`;
const when = (id: string, limit: number, more: string): string => `  - { id: ${id}, match: { tool: database, parameters: { limit: ${String(limit)} } }, ${more} }\n`;
const set = (to: number): string => `action: MODIFY, modify: [{ set: parameters.limit, to: ${String(to)} }]`;

describe('what obliges goes with the permit, whatever stricter joins', () => {
  const sandboxed = rule('open', 'action: ALLOW, obligations: { sandbox: no-network }');
  const sandbox = [{ kind: 'sandbox', value: 'no-network' }];

  test.each([
    ['a contextual STEP_UP', rule('ask', 'context: { elapsed: { gt: 1m } }, action: STEP_UP'), {}, 'STEP_UP'],
    ['a contextual MODIFY', rule('cap', `context: { elapsed: { gt: 1m } }, ${set(3)}`), {}, 'MODIFY'],
    ['a guard that asks for people', '', { guards: [{ guard: 'g', verdict: 'hold', path: 'table', detail: 'd' }] }, 'STEP_UP'],
    ['a guard that redacts', '', { guards: [{ guard: 'g', verdict: 'redact', path: 'table', detail: 'd' }] }, 'MODIFY'],
  ] as const)('%s', (_what, more, snapshot, decision) => {
    const found = about(sandboxed + more, 5, snapshot);
    expect([found.decision, found.obligations]).toEqual([decision, sandbox]);
  });

  test('what is denied or waits obliges to nothing', () => {
    expect(about(sandboxed + rule('no', 'context: { elapsed: { gt: 1m } }, action: DENY'), 5).obligations).toEqual([]);
    expect(about(sandboxed + rule('wait', 'context: { elapsed: { gt: 1m } }, action: DEFER'), 5).obligations).toEqual([]);
  });

  test('obligations of both readings go with a conflict that people settle', () => {
    const both = rule('a', 'action: ALLOW, priority: 7, obligations: { sandbox: no-network }') + rule('b', 'action: STEP_UP, priority: 7, obligations: { redact_output: [SECRET] }');
    expect(about(both, 5)).toMatchObject({ decision: 'DEFER', code: 'rule_conflict', obligations: [{ kind: 'redact_output' }, { kind: 'sandbox' }] });
  });
});

describe('three rounds', () => {
  const chain = (steps: number): string => rule('open', 'action: ALLOW') + Array.from({ length: steps }, (_, i) => when(`m${String(i)}`, i, set(i + 1))).join('');

  test('three changes settle, a fourth denies', () => {
    expect(about(chain(3), 0)).toMatchObject({ decision: 'MODIFY', transformed: { parameters: { limit: 3 }, changes: [{ to: 1 }, { to: 2 }, { to: 3 }] } });
    expect(about(chain(4), 0)).toMatchObject({ decision: 'DENY', code: 'modify_unstable' });
  });

  test('a changed action that waits, waits as changed, and the answer names no changed action', () => {
    const decision = about(chain(1) + when('wait', 1, 'action: DEFER'), 0);
    expect([decision.decision, decision.transformed]).toEqual(['DEFER', undefined]);
  });

  test('whoever context wanted to see it is asked, in whichever round', () => {
    const held = rule('open', 'action: ALLOW')
      + when('m0', 0, `context: { elapsed: { gt: 1m } }, ${set(1)}`) + when('a0', 0, 'context: { elapsed: { gt: 1m } }, action: STEP_UP, approvers: [x]')
      + when('m1', 1, `context: { elapsed: { gt: 1m } }, ${set(2)}`) + when('a1', 1, 'context: { elapsed: { gt: 1m } }, action: STEP_UP, approvers: [y], quorum: 2');
    expect(about(held, 0)).toMatchObject({ decision: 'STEP_UP', approval: { approvers: ['x', 'y'], all_groups: true, quorum: 2 }, transformed: { parameters: { limit: 2 } } });
  });
});

describe('where the leaves of a′ come from', () => {
  const open = '  - { id: open, match: { tool: [email, database] }, action: ALLOW }\n';

  test('what is only narrowed keeps the least trusted place that it came from', () => {
    const policy = policyFrom(policyText(`${open}  - { id: inside, match: { tool: email }, action: MODIFY, modify: [{ restrict: parameters.to, to: internal }] }
  - { id: ask, match: { tool: email }, context: { provenance: { to: { in: [untrusted_output, nowhere] } } }, action: STEP_UP }\n`, 'directory: { internal_domains: [corp.example] }'));
    const send = (source: 'request' | 'untrusted_output'): string => decideAbout(policy, 'email.send', { to: ['bob@corp.example', 'eve@mail.example'], body: '' }, { provenance: [{ path: 'to[0]', source: 'request' }, { path: 'to[1]', source }] }).decision;
    expect([send('request'), send('untrusted_output')]).toEqual(['MODIFY', 'STEP_UP']);
  });

  test('what is redacted in one leaf leaves the others where they came from', () => {
    const policy = policyFrom(policyText(`${open}  - { id: hide, match: { tool: database }, action: MODIFY, modify: [{ redact: parameters.where, what: SECRET }] }
  - { id: ask, match: { tool: database }, context: { provenance: { where.owner: nowhere } }, action: STEP_UP }\n`));
    const remove = (source: 'request' | 'nowhere'): string => decideAbout(policy, 'database.delete', { table: 't', where: { owner: 'ada', token: 'x' } }, { provenance: [{ path: 'table', source: 'request' }, { path: 'where.owner', source }, { path: 'where.token', source: 'nowhere' }] }).decision;
    expect([remove('request'), remove('nowhere')]).toEqual(['MODIFY', 'STEP_UP']);
  });
});

describe('a conflict that people settle', () => {
  const both = rule('a', 'action: ALLOW, priority: 7') + rule('b', 'action: STEP_UP, priority: 7, approvers: [owners]');

  test('is about what the stricter rule would let run: a guard’s redaction is in it', () => {
    const decision = about(both, 5, { guards: [{ guard: 'g', verdict: 'redact', path: 'table', detail: 'd' }] });
    expect(decision).toMatchObject({ decision: 'DEFER', deferral: { conflict: ['a', 'b'], escalate: { approvers: ['owners'] } }, transformed: { parameters: { table: '[redacted]', limit: 5 } } });
  });

  test('keeps no change that is itself part of the conflict', () => {
    const rules = rule('b', 'action: STEP_UP, priority: 7, approvers: [owners]') + rule('c', 'action: MODIFY, priority: 7, modify: [{ set: parameters.limit, to: 2 }]');
    const decision = about(rules, 5);
    expect([decision.decision, decision.code, decision.transformed]).toEqual(['DEFER', 'rule_conflict', undefined]);
    expect(about(rules + rule('d', 'action: MODIFY, priority: 6, modify: [{ set: parameters.limit, to: 3 }]'), 5).transformed?.parameters).toEqual({ table: 't', limit: 3 });
  });

  test('that nobody is asked about is not settled by a guard whose finding makes the readings alike', () => {
    const rules = rule('a', 'action: ALLOW, priority: 7') + rule('m', 'action: MODIFY, priority: 7, modify: [{ redact: parameters.table, what: ALL }]');
    expect(about(rules, 5, { guards: [{ guard: 'g', verdict: 'redact', path: 'table', detail: 'd' }] })).toMatchObject({ decision: 'DENY', code: 'rule_conflict' });
  });

  test('waits behind a rule that waits for facts', () => {
    const decision = about(`${both}${rule('wait', 'context: { elapsed: { gt: 1m } }, action: DEFER')}`, 5);
    expect([decision.decision, decision.code, decision.deferral?.conflict, decision.deferral?.escalate]).toEqual(['DEFER', 'needs_context', [], undefined]);
  });

  test('between changes that people were to see anyway and none is denied where the changes disagree', () => {
    const beneath = rule('c', 'action: MODIFY, modify: [{ set: parameters.limit, to: 2 }], priority: 6') + rule('d', 'context: { elapsed: { gt: 1m } }, action: MODIFY, modify: [{ set: parameters.limit, to: 3 }]');
    expect(about(both + beneath, 5)).toMatchObject({ decision: 'DENY', code: 'rule_conflict' });
  });
});
