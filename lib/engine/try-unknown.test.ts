import { describe, expect, test } from 'vitest';

import type { Snapshot } from '@/lib/context/snapshot';
import { at, decideAbout, owner, policyFrom, policyText } from '@/lib/testing/engine-fixtures';

import type { Decision } from './decision';

const records = 'information: { owner: { from: ["ip:records"] }, criticality: { from: ["ip:records"] } }';
const open = '  - { id: open, match: { tool: [database, files, email, shell] }, action: ALLOW }\n';
const remove = (rules: string, more: Partial<Snapshot> = {}, header = records): Decision => decideAbout(policyFrom(policyText(rules, header)), 'database.delete', { table: 't', limit: 5 }, more);
const fields = (decision: Decision): readonly string[] | undefined => decision.deferral?.missing.map((field) => field.field);

describe('unknown rules', () => {
  const unsure = (id: string, more: string): string => `  - { id: ${id}, match: { tool: database }, context: { target_ownership: { owned_by: requesting_user } }, ${more} }\n`;

  test('that would change nothing about the action are not asked about', () => {
    expect(remove(`${open}${unsure('cap', 'action: MODIFY, modify: [{ cap: parameters.limit, at: 10 }]')}`).decision).toBe('ALLOW');
    expect(remove(`${open}${unsure('cap', 'action: MODIFY, modify: [{ cap: parameters.limit, at: 4 }]')}`)).toMatchObject({ decision: 'DEFER' });
  });

  test('of one priority that disagree only about a change that changes nothing do not conflict', () => {
    const rules = (limit: number): string => `  - { id: a, match: { tool: database }, action: ALLOW, priority: 7 }\n  - { id: b, match: { tool: database }, action: MODIFY, priority: 7, modify: [{ cap: parameters.limit, at: ${String(limit)} }] }`;
    expect(remove(rules(10)).decision).toBe('ALLOW');
    expect(remove(rules(4))).toMatchObject({ decision: 'DENY', code: 'rule_conflict' });
  });

  test('over eight: only the loosest and the strictest case are looked at, and they settle it when they agree', () => {
    const many = Array.from({ length: 9 }, (_, i) => unsure(`u${String(i)}`, 'action: STEP_UP')).join('');
    expect(remove(open + many)).toMatchObject({ decision: 'DEFER' });
    const asks = '  - { id: asks, match: { tool: database }, action: STEP_UP }\n';
    expect(remove(asks + many).decision).toBe('STEP_UP');
    const never = '  - { id: never, match: { tool: database }, context: { elapsed: { gt: 1m } }, action: DENY }\n';
    expect(remove(open + many + never)).toMatchObject({ decision: 'DENY', code: 'denied_by_context' });
  });

  test('over eight: one denial among them is found', () => {
    const many = Array.from({ length: 9 }, (_, i) => unsure(`u${String(i)}`, 'action: STEP_UP')).join('');
    const asks = '  - { id: asks, match: { tool: database }, action: STEP_UP }\n';
    expect(remove(asks + many + unsure('no', 'action: DENY'))).toMatchObject({ decision: 'DEFER' });
  });
});

describe('a field that was supplied is never asked for again', () => {
  const mine = '  - { id: mine, match: { tool: database }, context: { user_intent: { contains: [delete] } }, action: STEP_UP, classification: context_dependent_allow }\n';

  test('a recorded request that does not speak of it is an answer; one that leaves doubt is none yet', () => {
    expect(fields(remove(mine, { intent: null, requests: null }))).toEqual(['user_intent']);
    expect(remove(mine, { intent: { affirmed: ['read'], doubtful: [] } }).decision).toBe('DENY');
    expect(fields(remove(mine, { intent: { affirmed: [], doubtful: ['delete'] } }))).toEqual(['user_intent']);
    expect(remove(mine, { intent: { affirmed: ['delete'], doubtful: [] } }).decision).toBe('STEP_UP');
  });

  test('an attribute that a source settled as unavailable is not asked for again', () => {
    const wait = `${open}  - { id: wait, match: { tool: database }, action: DEFER, context_needed: [target_ownership, criticality] }\n`;
    expect(fields(remove(wait))).toEqual(['attributes.criticality', 'target_ownership']);
    expect(fields(remove(wait, { attributes: [owner('database:t', 'x')] }))).toEqual(['attributes.criticality']);
    const none = { ...owner('database:t', 'x'), name: 'criticality', value: null, unavailable: true, observed_at: at(1) };
    expect(remove(wait, { attributes: [owner('database:t', 'x'), none] }).decision).toBe('DENY');
  });

  test('a value of another kind than the rule wants was said: the rule turns out the strictest way', () => {
    const large = `${open}  - { id: large, match: { tool: database }, context: { attributes: { criticality: { gt: 5 } } }, action: DENY }\n`;
    expect(fields(remove(large))).toEqual(['attributes.criticality']);
    expect(remove(large, { attributes: [{ ...owner('database:t', 'high'), name: 'criticality' }] }).decision).toBe('DENY');
  });

  test('what an action names nothing for cannot be supplied, so evaluability does not wait for it', () => {
    const signals = [{ name: 'a', score: 900, weight: 400, evidence: 'e' }, { name: 'b', score: null, weight: 600, evidence: 'e', missing: 'target_ownership' }];
    const decision = decideAbout(policyFrom(policyText(open, records)), 'email.search', { query: 'x' }, { signals });
    expect(decision.decision).toBe('ALLOW');
  });
});

describe('a DEFER rule that waits for recipients', () => {
  const wait = policyFrom(policyText(`${open}  - { id: wait, match: { tool: email }, action: DEFER, context_needed: [recipient] }\n`));

  test('does not wait when there are some', () => {
    expect(decideAbout(wait, 'email.send', { to: 'bob@corp.example', body: '' }).decision).toBe('ALLOW');
  });

  test('does not wait for those of an operation that has none', () => {
    expect(decideAbout(wait, 'email.read', { id: '1' }).decision).toBe('ALLOW');
  });

  test('denies at once when they cannot be parsed: nobody could supply them', () => {
    expect(decideAbout(wait, 'email.send', { to: 'bob@corp.example@eve.example', body: '' }).decision).toBe('DENY');
  });
});

describe('a forbidden rule that cannot be known', () => {
  const never = (more: string): string => `${open}  - { id: never, match: { tool: database, parameters: { set: { gt: 5 } } }, action: DENY, classification: forbidden${more} }\n`;
  const update = (more: string): Decision => decideAbout(policyFrom(policyText(never(more))), 'database.update', { table: 't', set: { a: 1 }, where: {} });

  test('denies and says what it depends on, though the argument could be parsed', () => {
    const decision = update('');
    expect([decision.decision, decision.code]).toEqual(['DENY', 'opaque_argument']);
    expect(decision.reason).toContain('parameters.set');
  });

  test('asks people only where an opaque argument is why', () => {
    expect(update(', opaque: STEP_UP').decision).toBe('DENY');
    const shell = policyFrom(policyText(`${open}  - { id: never, match: { tool: shell, parameters: { command: { in: [rm] } } }, action: DENY, classification: forbidden, opaque: STEP_UP }\n`));
    expect(decideAbout(shell, 'shell.exec', { command: 'ls $(cat y' })).toMatchObject({ decision: 'STEP_UP', classification: 'forbidden', determining: [{ id: 'never' }] });
    expect(decideAbout(shell, 'shell.exec', { command: 'rm x && ls $(cat y' }).decision).toBe('DENY');
  });
});
