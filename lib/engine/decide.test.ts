import { describe, expect, test } from 'vitest';

import type { Snapshot } from '@/lib/context/snapshot';
import { actionFrom, at, decideAbout, noon, owner, policyFrom, policyText, snapshotWith, stock } from '@/lib/testing/engine-fixtures';

import { decide } from './decide';

const mail = { to: 'bob@corp.example', body: 'hello' };
const about = (rules: string, header = '', more: Partial<Snapshot> = {}): ReturnType<typeof decide> => decideAbout(policyFrom(policyText(rules, header)), 'email.send', mail, more);
const open = '  - { id: open, match: { tool: email }, action: ALLOW }\n';

describe('step 0', () => {
  test('without a policy everything is denied as unsigned', () => {
    expect(decide(actionFrom('email.send', mail), snapshotWith(), null, noon)).toMatchObject({ decision: 'DENY', code: 'policy_unsigned' });
  });

  test('an operation that the policy’s catalogue lacks, and a time that cannot be read, deny', () => {
    const policy = policyFrom(policyText(open));
    const action = { ...actionFrom('email.send', mail), operation: 'explode' };
    expect(decide(action, snapshotWith(), policy, noon).code).toBe('unknown_tool');
    expect(decide(actionFrom('email.send', mail), snapshotWith(), policy, 'soon')).toMatchObject({ decision: 'DENY', code: 'internal' });
  });

  test('an action that was mediated with another catalogue is read with the policy’s own', () => {
    const policy = policyFrom(policyText(open, 'tools: [{ name: email.send, impact: critical }]'));
    expect(decide(actionFrom('email.send', mail), snapshotWith(), policy, noon).impact).toBe('critical');
    expect(stock.entries.get('email.send')?.impact).toBe('medium');
  });
});

describe('step 1, forbidden', () => {
  const shell = (rules: string, command: string): ReturnType<typeof decide> => decideAbout(policyFrom(policyText(`${rules}\n  - { id: run, match: { tool: shell }, action: ALLOW }`)), 'shell.exec', { command });
  const never = '  - { id: never, match: { tool: shell, operation: exec, parameters: { command: { in: [rm] } } }, action: DENY, classification: forbidden, reason: No. }';

  test('sees what was understood of a command that cannot be parsed as a whole', () => {
    expect(shell(never, 'rm x && $(cat y')).toMatchObject({ decision: 'DENY', classification: 'forbidden' });
  });

  test('treats an opaque argument as forbidden, unless the rule asks for people', () => {
    expect(shell(never, 'ls $(cat y')).toMatchObject({ decision: 'DENY', code: 'opaque_argument' });
    expect(shell(never.replace('reason', 'opaque: STEP_UP, reason'), 'ls $(cat y').decision).toBe('STEP_UP');
    expect(shell(never, 'ls y').decision).toBe('ALLOW');
  });

  test('a permission that reads an argument does not cover an opaque one, and a blanket one sends it to a person', () => {
    const some = policyFrom(policyText('  - { id: some, match: { tool: files, operation: delete, parameters: { path: { within: /srv } } }, action: ALLOW }'));
    expect(decideAbout(some, 'files.delete', { path: '../../etc/passwd' })).toMatchObject({ decision: 'DENY', code: 'opaque_argument' });
    const blanket = policyFrom(policyText('  - { id: all, match: { tool: files }, action: ALLOW }'));
    expect(decideAbout(blanket, 'files.delete', { path: '../../etc/passwd' }).decision).toBe('STEP_UP');
    expect(decideAbout(blanket, 'files.delete', { path: '/srv/a' }).decision).toBe('ALLOW');
  });

  test.each([
    ['files.read', { path: '/app/.countersign/pin.json' }], ['files.write', { path: '.countersign-demo/x', content: '' }],
    ['files.write', { path: '/home/ada/.claude/settings.json', content: '' }], ['files.write', { path: 'policies/starter.yaml', content: '' }],
    ['files.delete', { path: '/srv/policies/a.yaml.sig.json' }], ['shell.exec', { command: 'rm -rf /app/.countersign' }],
    ['shell.exec', { command: 'echo x > .mcp.json' }], ['shell.exec', { command: 'cat .mcp.json evil > .mcp.json' }], ['shell.exec', { command: 'sed -i s/a/b/ .claude/hooks/pre.sh' }],
  ])('no policy lets an agent touch what decides about it: %s %j', (name, parameters) => {
    expect(decideAbout(policyFrom(policyText('  - { id: all, match: { tool: "*" }, action: ALLOW }')), name, parameters)).toMatchObject({ decision: 'DENY', code: 'forbidden_action' });
  });

  test.each([
    ['files.read', { path: 'policies/starter.yaml' }], ['files.write', { path: '/srv/network-policies/network.yaml', content: '' }],
    ['files.write', { path: 'docs/countersign.md', content: '' }], ['shell.exec', { command: 'cat mcp.json' }],
  ])('and other files are not mistaken for it: %s %j', (name, parameters) => {
    expect(decideAbout(policyFrom(policyText('  - { id: all, match: { tool: "*" }, action: ALLOW }')), name, parameters).decision).toBe('ALLOW');
  });
});

describe('step 3, the baseline', () => {
  test('falls from rules to the catalogue to the defaults, and says which it was', () => {
    expect(about('').baseline).toEqual({ decision: 'DENY', from: 'defaults' });
    expect(about('', 'defaults: { decision: STEP_UP }')).toMatchObject({ decision: 'STEP_UP', baseline: { decision: 'STEP_UP', from: 'defaults' } });
    expect(about('', 'tools: [{ name: email.send, decision: ALLOW }]').baseline).toEqual({ decision: 'ALLOW', from: 'catalogue' });
    expect(about(open, 'tools: [{ name: email.send, decision: DENY }]')).toMatchObject({ decision: 'ALLOW', baseline: { from: 'open' } });
  });

  test('takes the highest priority, whatever the order', () => {
    expect(about(`${open}  - { id: no, match: { tool: email }, action: DENY }`).code).toBe('denied_by_rule');
    expect(about(`${open.replace('ALLOW', 'ALLOW, priority: 301')}  - { id: no, match: { tool: email }, action: DENY }`).decision).toBe('ALLOW');
  });

  test('an equal priority with another action goes to the approvers of the stricter one, or is denied when it has none', () => {
    const asks = about('  - { id: a, match: { tool: email }, action: ALLOW, priority: 7 }\n  - { id: b, match: { tool: email }, action: STEP_UP, priority: 7, approvers: [data-owner] }');
    expect(asks).toMatchObject({ decision: 'DEFER', code: 'rule_conflict', deferral: { conflict: ['a', 'b'], escalate: { approvers: ['data-owner'] } } });
    expect(about('  - { id: a, match: { tool: email }, action: ALLOW, priority: 7 }\n  - { id: b, match: { tool: email }, action: DENY, priority: 7 }')).toMatchObject({ decision: 'DENY', code: 'rule_conflict' });
  });

  test('a conflict that something stricter settles does not matter', () => {
    const rules = '  - { id: a, match: { tool: email }, action: ALLOW, priority: 7 }\n  - { id: b, match: { tool: email }, action: STEP_UP, priority: 7 }\n  - { id: c, match: { tool: email }, context: { elapsed: { gt: 1m } }, action: STEP_UP }';
    expect(about(rules).decision).toBe('STEP_UP');
  });
});

describe('step 5, confidence × impact', () => {
  const rule = (action: string): string => `  - { id: yes, match: { tool: email }, context: { elapsed: { gt: 1m } }, action: ${action}, classification: context_dependent_allow, priority: 1 }`;
  const score = (value: number | null): Partial<Snapshot> => ({ signals: [{ name: 's', score: value, weight: 10, evidence: 'e' }] });
  const low = 'tools: [{ name: email.send, impact: low }]';

  test.each([
    [800, low, 'ALLOW', 'ALLOW'], [750, low, 'ALLOW', 'ALLOW'], [749, low, 'ALLOW', 'STEP_UP'], [400, low, 'ALLOW', 'STEP_UP'], [399, low, 'ALLOW', 'DENY'],
    [800, '', 'ALLOW', 'STEP_UP'], [800, low, 'STEP_UP', 'STEP_UP'], [null, low, 'ALLOW', 'DENY'],
  ])('alignment %s, %s, rule %s → %s', (value, header, action, wanted) => {
    expect(about(rule(action), header, score(value)).decision).toBe(wanted);
  });

  test('a low alignment says so', () => {
    expect(about(rule('ALLOW'), low, score(100)).code).toBe('low_confidence');
  });

  test('on the agent’s own host nothing contextual becomes ALLOW', () => {
    const session = { ...snapshotWith().session, assurance: 'same_host' as const };
    expect(about(rule('ALLOW'), low, { ...score(900), session }).decision).toBe('STEP_UP');
  });

  test('a deny of higher priority than the rule stands, one below it does not, and other baselines are the floor', () => {
    expect(about(`${rule('ALLOW')}\n  - { id: no, match: { tool: email }, action: DENY, priority: 2 }`, low, score(900)).decision).toBe('DENY');
    expect(about(`${rule('ALLOW')}\n  - { id: no, match: { tool: email }, action: DENY, priority: 0 }`, low, score(900)).decision).toBe('ALLOW');
    const floor = '\n  - { id: no, match: { tool: email }, action: DENY, priority: 0 }\n  - { id: ask, match: { tool: email }, action: STEP_UP, priority: -1, approvers: [data-owner] }';
    expect(about(rule('ALLOW') + floor, low, score(900))).toMatchObject({ decision: 'STEP_UP', approval: { approvers: ['data-owner'] } });
  });
});

describe('step 6, the join', () => {
  test('STEP_UPs join: all groups, the highest quorum, the shortest time', () => {
    const rules = `  - { id: a, match: { tool: email }, action: STEP_UP, approvers: [x], timeout: 1h }\n  - { id: b, match: { tool: email }, context: { elapsed: { gt: 1m } }, action: STEP_UP, approvers: [y], quorum: 2, timeout: 10m }`;
    expect(about(rules).approval).toEqual({ approvers: ['x', 'y'], all_groups: true, quorum: 2, timeout_s: 600, separation: true });
  });

  test('critical impact needs two people whatever the rule says', () => {
    expect(about('  - { id: a, match: { tool: email }, action: STEP_UP, quorum: 1 }', 'tools: [{ name: email.send, impact: critical }]').approval?.quorum).toBe(2);
  });

  test.each([
    ['block', 'DENY', 'guard_finding'], ['failed', 'DENY', 'guard_failed'], ['hold', 'STEP_UP', 'needs_approval'], ['redact', 'MODIFY', 'modified'],
  ] as const)('a guard that says %s gives %s', (verdict, decision, code) => {
    expect(about(open, '', { guards: [{ guard: 'g', verdict, path: 'body', detail: 'found' }] })).toMatchObject({ decision, code });
  });

  test.each([['permit', 'ALLOW'], ['deny', 'DENY'], ['indeterminate', 'DEFER'], ['fault', 'DENY']] as const)('a further decision point that says %s gives %s', (answer, decision) => {
    expect(about(open, '', { points: [{ point: 'p', answer, cause: 'c' }] }).decision).toBe(decision);
  });

  test('a permit of another point loosens nothing', () => {
    expect(about('', '', { points: [{ point: 'p', answer: 'permit', cause: 'c' }] }).decision).toBe('DENY');
  });

  test('obligations of what decided go with the permit', () => {
    const rules = '  - { id: a, match: { tool: email }, action: ALLOW, obligations: { sandbox: no-network, rate: { max: 3, within: 1m } } }';
    expect(about(rules).obligations).toEqual([{ kind: 'rate', value: { max: 3, within_s: 60 } }, { kind: 'sandbox', value: 'no-network' }]);
  });
});

describe('step 7, uncertainty', () => {
  const records = 'information: { owner: { from: ["ip:records"] } }';
  const remove = (rules: string, more: Partial<Snapshot> = {}, header = records): ReturnType<typeof decide> => decideAbout(policyFrom(policyText(rules, header)), 'database.delete', { table: 't' }, more);
  const mine = '  - { id: mine, match: { tool: database }, context: { target_ownership: { owned_by: requesting_user } }, action: STEP_UP, classification: context_dependent_allow }';

  test('what would not change the outcome is not asked for', () => {
    expect(remove(`${mine}\n  - { id: no, match: { tool: database }, context: { elapsed: { gt: 1m } }, action: DENY }`).code).toBe('denied_by_context');
  });

  test('only the fields of rules that mattered are named', () => {
    const other = '\n  - { id: other, match: { tool: database }, context: { attributes: { colour: red }, elapsed: { gt: 1d } }, action: DENY }';
    expect(remove(mine + other).deferral?.missing.map((field) => field.field)).toEqual(['target_ownership']);
  });

  test('over eight unknown rules still end, and defer', () => {
    const many = Array.from({ length: 12 }, (_, i) => `  - { id: u${String(i)}, match: { tool: database }, context: { target_ownership: { owned_by: requesting_user } }, action: STEP_UP }`).join('\n');
    expect(remove(`${many}\n  - { id: open, match: { tool: database }, action: ALLOW }`).decision).toBe('DEFER');
  });

  test('a low evaluability defers while somebody could supply what is missing, and never overrides a denial', () => {
    const signals = [{ name: 'a', score: 900, weight: 400, evidence: 'e' }, { name: 'b', score: null, weight: 600, evidence: 'e', missing: 'target_ownership' }];
    const allow = '  - { id: open, match: { tool: database }, action: ALLOW }';
    expect(remove(allow, { signals })).toMatchObject({ decision: 'DEFER', evaluability: 400, alignment: 900, deferral: { missing: [{ field: 'target_ownership', suppliers: ['ip:records'] }] } });
    expect(remove(allow, { signals }, '').decision).toBe('ALLOW');
    expect(remove(allow, { signals, attributes: [owner('database:t', 'ada@corp.example')] }).decision).toBe('ALLOW');
    expect(remove('', { signals }).code).toBe('denied_by_default');
  });

  test('a DEFER rule waits for its fields, ends when they are known, and denies when they cannot be', () => {
    const rules = '  - { id: wait, match: { tool: database }, action: DEFER, context_needed: [target_ownership], timeout: 7m }\n  - { id: open, match: { tool: database }, action: ALLOW }';
    expect(remove(rules).deferral).toMatchObject({ timeout_s: 420, missing: [{ field: 'target_ownership', attribute: 'owner', subject: 'database:t' }] });
    expect(remove(rules, { attributes: [owner('database:t', 'x')] }).decision).toBe('ALLOW');
    expect(remove(rules, { attributes: [{ ...owner('database:t', 'x'), value: null, unavailable: true, observed_at: at(1) }] }).decision).toBe('DENY');
  });

  test('a deferral names people for the end of its time only where each of its rules does', () => {
    const wait = (id: string, more = '') => `  - { id: ${id}, match: { tool: database }, action: DEFER, context_needed: [target_ownership]${more} }`;
    expect(remove(wait('a')).deferral).not.toHaveProperty('at_timeout');
    expect(remove(wait('a', ', approvers: [data-owner]')).deferral).toMatchObject({ at_timeout: { approvers: ['data-owner'], timeout_s: 1800 } });
    expect(remove(`${wait('a', ', approvers: [data-owner]')}\n${wait('b', ', priority: 251')}`).deferral).not.toHaveProperty('at_timeout');
    const both = `  - { id: a, match: { tool: database }, context: { data_classification: { contains: PUBLIC } }, action: DEFER, context_needed: [target_ownership], approvers: [data-owner] }`;
    expect(remove(`${wait('b')}\n${both}`).deferral).not.toHaveProperty('at_timeout');
  });
});

test('where only an opaque argument keeps rules from being known, every change that they may ask for is made', () => {
  const policy = policyFrom(policyText(`  - { id: all, match: { tool: files }, action: ALLOW }
  - { id: m, match: { tool: files, operation: write, parameters: { path: { within: /srv } } }, action: MODIFY, modify: [{ set: parameters.append, to: true }] }`));
  const guards = [{ guard: 'g', verdict: 'redact' as const, path: 'content', detail: 'found' }];
  const decision = decideAbout(policy, 'files.write', { path: '../../x', content: 'secret' }, { guards });
  expect([decision.decision, decision.transformed?.parameters]).toEqual(['STEP_UP', { path: '../../x', content: '[redacted]', append: true }]);
});

describe('step 8, MODIFY', () => {
  const cap = '  - { id: cap, match: { tool: database, operation: delete }, action: MODIFY, modify: [{ cap: parameters.limit, at: 10 }], reason: Few at a time. }';
  const remove = (rules: string, parameters: Parameters<typeof decideAbout>[2]): ReturnType<typeof decide> => decideAbout(policyFrom(policyText(rules)), 'database.delete', parameters);

  test('lets through what policy changed, and says what it changed', () => {
    expect(remove(cap, { table: 't', limit: 50 })).toMatchObject({
      decision: 'MODIFY', code: 'modified', reason: 'Few at a time.',
      transformed: { parameters: { table: 't', limit: 10 }, changes: [{ rule: 'cap', path: 'limit', from: 50, to: 10 }] },
    });
    expect(remove(cap, { table: 't' }).transformed?.parameters).toEqual({ table: 't', limit: 10 });
  });

  test('a change that changes nothing counts as ALLOW', () => {
    const decision = remove(cap, { table: 't', limit: 5 });
    expect([decision.decision, decision.code, decision.transformed]).toEqual(['ALLOW', 'allowed', undefined]);
  });

  test('the changed action is decided again', () => {
    const no = '\n  - { id: no, match: { tool: database, operation: delete, parameters: { limit: { eq: 10 } } }, action: DENY }';
    expect(remove(cap + no, { table: 't', limit: 50 }).decision).toBe('DENY');
    const ask = '\n  - { id: ask, match: { tool: database, operation: delete, parameters: { limit: { eq: 10 } } }, action: STEP_UP }';
    expect(remove(cap + ask, { table: 't', limit: 50 })).toMatchObject({ decision: 'STEP_UP', transformed: { parameters: { limit: 10 } } });
  });

  test('a change beneath a STEP_UP is shown to people beside what was proposed', () => {
    expect(remove(`${cap}\n  - { id: ask, match: { tool: database }, action: STEP_UP }`, { table: 't', limit: 50 })).toMatchObject({ decision: 'STEP_UP', transformed: { parameters: { limit: 10 } } });
  });

  test('changes that chase each other do not settle, and changes that contradict are a conflict', () => {
    const chase = [1, 2, 3, 4, 5].map((n) => `  - { id: c${String(n)}, match: { tool: database, operation: delete, parameters: { limit: ${String(n)} } }, action: MODIFY, modify: [{ set: parameters.limit, to: ${String((n % 5) + 1)} }] }`).join('\n');
    expect(remove(chase, { table: 't', limit: 1 })).toMatchObject({ decision: 'DENY', code: 'modify_unstable' });
    expect(remove(`${cap}\n${cap.replace('id: cap', 'id: other').replace('at: 10', 'at: 5')}`, { table: 't', limit: 50 })).toMatchObject({ decision: 'DENY', code: 'rule_conflict' });
  });

  test('a change that cannot be made denies', () => {
    // Dropping a database may leave the table out, deleting rows may not.
    const drop = '  - { id: d, match: { tool: database, operation: [delete, drop] }, action: MODIFY, modify: [{ drop: parameters.table }] }';
    expect(remove(drop, { table: 't' })).toMatchObject({ decision: 'DENY', code: 'modify_unstable' });
  });

  test('what policy writes counts as policy’s; what it only redacts keeps where it came from', () => {
    const rules = (change: string): string => `  - { id: m, match: { tool: email }, action: MODIFY, modify: [{ ${change} }] }\n  - { id: no, match: { tool: email }, context: { provenance: { body: { in: [untrusted_output, nowhere] } }, elapsed: { gt: 20m } }, action: STEP_UP }`;
    const provenance = [{ path: 'body', source: 'untrusted_output' as const }, { path: 'to', source: 'request' as const }];
    const body = 'call +49 170 1234567';
    const decided = (change: string): string => decideAbout(policyFrom(policyText(rules(change))), 'email.send', { to: 'b@c.example', body }, { provenance }).decision;
    expect(decided('redact: parameters.body, what: PII')).toBe('STEP_UP');
    expect(decided('set: parameters.body, to: hello')).toBe('MODIFY');
  });
});
