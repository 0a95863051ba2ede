import { describe, expect, test } from 'vitest';

import type { Snapshot } from '@/lib/context/snapshot';
import { decideAbout, owner, policyFrom, policyText, snapshotWith } from '@/lib/testing/engine-fixtures';

import type { Decision } from './decision';

const mail = { to: 'bob@corp.example', body: 'hello' };
const low = 'tools: [{ name: email.send, impact: low }]';
const about = (rules: string, header = '', more: Partial<Snapshot> = {}): Decision => decideAbout(policyFrom(policyText(rules, header)), 'email.send', mail, more);
const open = '  - { id: open, match: { tool: [email, database, files] }, action: ALLOW }\n';
const records = 'information: { owner: { from: ["ip:records"] }, criticality: { from: ["ip:records"] } }';
const score = (value: number | null, missing = 'target_ownership'): Snapshot['signals'][number] => ({ name: 's', score: value, weight: 500, evidence: 'e', missing });

describe('a grant', () => {
  const granted = 'tools: [{ name: email.send, grant: required }]';

  test('that is needed and missing denies, whatever allows, and the answer says how to propose one', () => {
    expect(about(open, granted)).toMatchObject({ decision: 'DENY', code: 'grant_needed', guidance: expect.stringContaining('/v1/proposals'), grants: [] });
  });

  test('is a precondition: it never allows by itself', () => {
    expect(about('', granted, { grants: ['g1'] })).toMatchObject({ decision: 'DENY', code: 'denied_by_default' });
    expect(about('  - { id: no, match: { tool: email }, action: DENY, classification: forbidden }', granted, { grants: ['g1'] }).code).toBe('forbidden_action');
  });

  test('is used once for a permit: the first of several', () => {
    expect(about(open, granted, { grants: ['g2', 'g1'] })).toMatchObject({ decision: 'ALLOW', grants: ['g1'] });
    expect(about('', granted, { grants: ['g2', 'g1'] }).grants).toEqual([]);
    expect(about(open, '', { grants: ['g2'] }).grants).toEqual([]);
  });

  test('is looked for after what is forbidden, before everything else', () => {
    expect(about('  - { id: no, match: { tool: email }, action: DENY, classification: forbidden }', granted).code).toBe('forbidden_action');
    expect(about('  - { id: no, match: { tool: email }, action: DENY }', granted).code).toBe('grant_needed');
  });
});

test('a rule whose action part is false does not exist for the action: it is not even considered', () => {
  const rules = `${open}  - { id: other, match: { tool: email, parameters: { subject: x } }, context: { target_ownership: { owned_by: requesting_user } }, action: DENY }\n`;
  expect(about(rules, records)).toMatchObject({ decision: 'ALLOW', considered: [], unknown: [] });
  expect(decideAbout(policyFrom(policyText(rules, records)), 'email.send', { ...mail, subject: 'x' })).toMatchObject({ decision: 'DEFER', unknown: [{ id: 'other' }] });
});

test('a rule that allows what is not so needs it of every value, one that denies it of any', () => {
  const to = ['bob@corp.example', 'eve@mail.example'];
  const decided = (action: string): string => decideAbout(policyFrom(policyText(`  - { id: r, match: { tool: email, parameters: { to: { not: { domain_in: [mail.example] } } } }, action: ${action} }\n${action === 'DENY' ? open : ''}`)), 'email.send', { ...mail, to }).decision;
  expect([decided('ALLOW'), decided('DENY')]).toEqual(['DENY', 'DENY']);
});

describe('step 5, in detail', () => {
  const allow = (id: string, action: string, priority: number): string => `  - { id: ${id}, match: { tool: email }, context: { elapsed: { gt: 1m } }, action: ${action}, classification: context_dependent_allow, priority: ${String(priority)} }\n`;
  const no = '  - { id: no, match: { tool: email }, action: DENY }\n';

  test('reaches a denial of its own priority, and none above', () => {
    expect(about(allow('yes', 'ALLOW', 300) + no, low).decision).toBe('ALLOW');
    expect(about(allow('yes', 'ALLOW', 299) + no, low).decision).toBe('DENY');
  });

  test('takes the most permissive of several, of those that reach', () => {
    expect(about(allow('a', 'STEP_UP', 300) + allow('b', 'ALLOW', 300) + no, low).decision).toBe('ALLOW');
    expect(about(allow('a', 'STEP_UP', 300) + allow('b', 'ALLOW', 0) + no, low).decision).toBe('STEP_UP');
  });

  test('without a recorded request nothing contextual becomes ALLOW', () => {
    const unrecorded = { session: { ...snapshotWith().session, assurance: null } };
    expect(about(allow('yes', 'ALLOW', 300) + no, low, unrecorded).decision).toBe('STEP_UP');
  });

  test('a denial that rests on alignment alone gives way to asking for what alignment lacks; another does not', () => {
    const signals = [score(100), score(null), score(null)];
    const lacking = { ...snapshotWith({ signals }) };
    expect(about(allow('yes', 'ALLOW', 300) + no, `${low}\n${records}`, lacking)).toMatchObject({ decision: 'DEFER', deferral: { missing: [{ field: 'target_ownership' }] } });
    expect(about(allow('yes', 'ALLOW', 299) + no, `${low}\n${records}`, lacking).decision).toBe('DENY');
  });
});

describe('step 7, in detail', () => {
  test('evaluability at the bound does not defer, under it does', () => {
    expect(about(open, records, { signals: [score(900), score(null)] })).toMatchObject({ decision: 'ALLOW', evaluability: 500 });
    expect(about(open, records, { signals: [{ ...score(900), weight: 499 }, score(null)] }).decision).toBe('DEFER');
  });

  test('what may deny for alignment alone, or for nothing allowing it, denies as the latter, and gives way to asking for what alignment lacks', () => {
    const mine = '  - { id: mine, match: { tool: email }, context: { target_ownership: { owned_by: requesting_user } }, action: ALLOW }\n';
    expect(about(mine, records, { signals: [score(100)] })).toMatchObject({ decision: 'DENY', code: 'denied_by_default' });
    const lacking = { signals: [score(100), score(null, 'attributes.criticality'), score(null, 'attributes.criticality')] };
    expect(about(mine, records, lacking)).toMatchObject({ decision: 'DEFER', deferral: { missing: [{ field: 'attributes.criticality' }] } });
  });

  test('a change that context may ask for lifts no STEP_UP, though another rule makes the same one anyway', () => {
    const rules = `${open}  - { id: ask, match: { tool: database, parameters: { limit: 5 } }, action: STEP_UP }
  - { id: three, match: { tool: database }, action: MODIFY, modify: [{ set: parameters.limit, to: 3 }] }\n`;
    const unsure = '  - { id: perhaps, match: { tool: database }, context: { target_ownership: { owned_by: requesting_user } }, action: MODIFY, modify: [{ set: parameters.limit, to: 3 }] }\n';
    const remove = (text: string): string => decideAbout(policyFrom(policyText(text, records)), 'database.delete', { table: 't', limit: 5 }).decision;
    expect([remove(rules), remove(rules + unsure)]).toEqual(['MODIFY', 'STEP_UP']);
  });

  test('an unknown rule that would change more than is changed anyway is asked about', () => {
    const rules = (more: string): string => `${open}  - { id: sure, match: { tool: database }, action: MODIFY, modify: [{ set: parameters.limit, to: 3 }] }
  - { id: perhaps, match: { tool: database }, context: { target_ownership: { owned_by: requesting_user } }, action: MODIFY, modify: [${more}] }\n`;
    const remove = (more: string): string => decideAbout(policyFrom(policyText(rules(more), records)), 'database.delete', { table: 't', limit: 5 }).decision;
    expect([remove('{ set: parameters.limit, to: 3 }'), remove('{ add_filter: parameters.where, and: "tenant = 1" }')]).toEqual(['MODIFY', 'DEFER']);
  });

  test('of three unknown rules the one that changes nothing is not asked about', () => {
    const remove = (rules: string): Decision => decideAbout(policyFrom(policyText(open + rules, records)), 'database.delete', { table: 't', limit: 5 });
    const rules = '  - { id: a, match: { tool: database }, context: { target_ownership: { owned_by: requesting_user } }, action: STEP_UP }\n  - { id: b, match: { tool: database }, context: { attributes: { criticality: high } }, action: MODIFY, modify: [{ cap: parameters.limit, at: 9 }] }\n  - { id: c, match: { tool: database }, context: { target_ownership: { owned_by: eve@corp.example } }, action: DENY }\n';
    expect(remove(rules).deferral?.missing.map(({ field }) => field)).toEqual(['target_ownership']);
  });

  test('a rule that an opaque argument and a missing fact hide is asked about; one that only the argument hides is not', () => {
    const rule = (context: string): string => `${open}  - { id: r, match: { tool: email, parameters: { to: { domain_in: [corp.example] } } }, ${context} action: DENY }\n`;
    const decided = (rules: string): Decision => decideAbout(policyFrom(policyText(rules)), 'email.send', { to: 'a@b@corp.example', body: '' }, { intent: null });
    expect(decided(rule('context: { user_intent: { contains: [send] } },'))).toMatchObject({ decision: 'DEFER', deferral: { missing: [{ field: 'user_intent' }] } });
    expect(decided(rule(''))).toMatchObject({ decision: 'DENY', code: 'opaque_argument' });
  });

  test('a decision point that cannot say is named, and a DEFER waits for the shortest of its rules', () => {
    expect(about(open, '', { points: [{ point: 'p', answer: 'indeterminate', cause: 'c' }] }).deferral?.missing).toEqual([{ field: 'point:p', suppliers: [] }]);
    const waits = '  - { id: a, match: { tool: email }, context: { elapsed: { gt: 1m } }, action: DEFER, timeout: 9m }\n  - { id: b, match: { tool: email }, context: { elapsed: { gt: 1m } }, action: DEFER, timeout: 3m }\n';
    expect(about(open + waits).deferral?.timeout_s).toBe(180);
  });
});

describe('step 8, in detail', () => {
  const remove = (rules: string): Decision => decideAbout(policyFrom(policyText(rules)), 'database.delete', { table: 't', limit: 5 }, { attributes: [owner('database:t', 'x')] });
  const rule = (id: string, more: string): string => `  - { id: ${id}, match: { tool: database }, ${more} }\n`;

  test('a′ is read anew: a rule on what it names now sees it', () => {
    const write = '  - { id: m, match: { tool: files }, action: MODIFY, modify: [{ set: parameters.path, to: /etc/passwd }] }\n  - { id: no, match: { tool: files, parameters: { path: { within: /etc } } }, action: DENY, classification: forbidden }\n';
    expect(decideAbout(policyFrom(policyText(write)), 'files.write', { path: '/srv/a', content: '' })).toMatchObject({ decision: 'DENY', code: 'forbidden_action' });
  });

  test('a′ that does not fit the tool’s schema is denied', () => {
    const policy = policyFrom(policyText(rule('m', 'action: MODIFY, modify: [{ set: parameters.limit, to: 3 }]')));
    const broken = { ...policy, index: new Map([...policy.index].map(([key, lists]) => [key, JSON.parse(JSON.stringify(lists).replace('"to":3', '"to":"three"')) as typeof lists])) };
    expect(decideAbout(broken, 'database.delete', { table: 't', limit: 5 })).toMatchObject({ decision: 'DENY', code: 'modify_unstable' });
  });

  test('changes of a whole and of a part of it disagree', () => {
    const parts = rule('a', 'action: MODIFY, modify: [{ set: parameters.where, to: { owner: ada } }]') + rule('b', 'context: { elapsed: { gt: 1m } }, action: MODIFY, modify: [{ set: parameters.where.owner, to: eve }]');
    expect(remove(parts)).toMatchObject({ decision: 'DENY', code: 'rule_conflict' });
  });
});
