import { describe, expect, it } from 'vitest';

import { policyFrom, policyText } from '@/lib/testing/engine-fixtures';

import { comparePolicies } from './compare-policies';
import type { Comparison, DecisionChange } from './comparison';

const transfer = 'match: { tool: payments, operation: transfer';
const compared = (before: string, after: string, header = '', headerAfter = header): Comparison => comparePolicies(policyFrom(policyText(before, header)), policyFrom(policyText(after, headerAfter)));
const decisions = ({ changes }: Comparison): readonly DecisionChange[] => changes.flatMap((change) => (change.of === 'decision' ? [change] : []));

const allow = `  - { id: pay, ${transfer} }, action: ALLOW }`;
const ask = (more = ''): string => `  - { id: pay, ${transfer} }, action: STEP_UP${more} }`;

describe('the class of a change', () => {
  it.each([
    ['the same rules in another order, with other ids, reasons and comments', `${allow}\n  - { id: mail, match: { tool: email }, action: DENY }`, `  - { id: no-mail, match: { tool: email }, action: DENY, reason: No mail. } # none\n${allow}`, 'none'],
    ['a rule that no action ever meets', allow, `${allow}\n  - { id: never, match: { tool: payments, operation: transfer, parameters: { amount: { gt: 5, lt: 4 } } }, action: DENY }`, 'none'],
    ['a permission beneath a denial of everything', '  - { id: no, match: { tool: payments }, action: DENY }', `  - { id: no, match: { tool: payments }, action: DENY }\n${allow}`, 'none'],
    ['a denial added', allow, `${allow}\n  - { id: large, ${transfer}, parameters: { amount: { gt: 500 } } }, action: DENY }`, 'tighten'],
    ['a permission added', '', allow, 'loosen'],
    ['a bound raised', `${allow}\n  - { id: large, ${transfer}, parameters: { amount: { gt: 500 } } }, action: DENY }`, `${allow}\n  - { id: large, ${transfer}, parameters: { amount: { gt: 1000 } } }, action: DENY }`, 'loosen'],
    ['one way closed and another opened', allow, '  - { id: mail, match: { tool: email, operation: send }, action: ALLOW }', 'mixed'],
    ['others asked', ask(', approvers: [finance]'), ask(', approvers: [friends]'), 'moved_authority'],
    ['fewer people asked', ask(', quorum: 2'), ask(), 'loosen'],
    ['more people asked', ask(), ask(', quorum: 2'), 'tighten'],
    ['a backup who decides in the end', ask(), ask(', escalate: { to: [friends], after: 5m }'), 'moved_authority'],
    ['an obligation taken away', `  - { id: pay, ${transfer} }, action: ALLOW, obligations: { sandbox: no-network } }`, allow, 'loosen'],
  ])('of %s is %s', (_, before, after, change) => {
    const found = compared(before, after);
    expect([found.change, found.unproved]).toEqual([change, []]);
  });

  it.each([
    ['approvals: { timeout: 30m }', 'approvals: { timeout: 2h }', 'loosen'],
    ['permits: { ttl: 60s }', 'permits: { ttl: 30s }', 'tighten'],
    ['limits: { new_per_minute: 30 }', 'limits: { new_per_minute: 300 }', 'loosen'],
    ['information: { owner: { from: ["ip:records"] } }', 'information: { owner: { from: ["ip:elsewhere"] } }', 'moved_authority'],
    ['defaults: { decision: DENY }', 'defaults: { decision: ALLOW }', 'loosen'],
  ])('of %s → %s is said', (before, after, change) => {
    expect(compared(allow, allow, before, after).change).toBe(change);
  });

  it('is not proved where a bound stopped the search, however it began', () => {
    const many = (n: number): string => ['to', 'currency', 'reference'].map((name) => `  - { id: ${name}, ${transfer}, parameters: { ${name}: { in: [${Array.from({ length: 40 }, (_, i) => `x${String(i * n)}`).join(', ')}] } } }, action: STEP_UP }`).join('\n');
    const found = comparePolicies(policyFrom(policyText(many(1))), policyFrom(policyText(many(2))), { bounds: { classes: 5, changes: 10 } });
    expect(found.change).toBe('not_proved');
    expect(found.exhaustive).toBe(false);
    expect(found.unproved.join(' ')).toContain('more classes');
  });

  it.each([
    ['takes one more', 'table: { type: string }', 'table: { type: string }, force: { type: boolean, optional: true }'],
    ['takes another type of it', 'table: { type: string }', 'table: { type: any }'],
    ['takes it as a path no more', 'table: { type: string, role: path }', 'table: { type: string }'],
  ])('is not proved where a tool %s', (_, before, after) => {
    const header = (parameters: string): string => `tools: [{ name: store.drop, effect: destructive, impact: low, decision: ALLOW, parameters: { ${parameters} } }]`;
    const found = compared('', '', header(before), header(after));
    expect([found.change, found.unproved.join(' ')]).toEqual(['not_proved', expect.stringContaining('store.drop: the tool takes other parameters')]);
  });

  it('is not proved where texts that a regular expression tells apart cannot be found', () => {
    const found = compared(allow, `${allow}\n  - { id: odd, ${transfer}, parameters: { reference: { matches: "^\\\\p{Greek}{3}$" } } }, action: DENY }`);
    expect(found.change).toBe('not_proved');
    expect(found.unproved.join(' ')).toContain('apart');
  });
});

describe('what a comparison tells', () => {
  it('is also what becomes of things that are known to be somebody else’s', () => {
    const header = 'tools: [{ name: database.delete, decision: ALLOW }]\ninformation: { owner: { from: ["ip:records"] } }';
    const own = '  - { id: own, match: { tool: database }, context: { target_ownership: { owned_by: requesting_user } }, action: STEP_UP }';
    const deny = '  - { id: no, match: { tool: database, operation: delete, parameters: { limit: { exists: true } } }, action: DENY }';
    const told = decisions(compared(own, `${own}\n${deny}`, header)).filter(({ operation }) => operation === 'delete').map(({ from, to }) => `${from.decision} → ${to.decision}`);
    expect(new Set(told)).toEqual(new Set(['DEFER → DENY', 'STEP_UP → DENY', 'ALLOW → DENY']));
  });

  it('is who, what, from what to what, with an action that shows it', () => {
    const rule = (amount: number): string => `${allow}\n  - { id: large, match: { tool: payments, operation: transfer, identity: { role: clerk }, parameters: { amount: { gt: ${String(amount)} } } }, action: STEP_UP, quorum: 2 }`;
    const [change, ...more] = decisions(compared(rule(500), rule(1000)));
    // The rest is the same change where something that cannot be read has people asked anyhow.
    expect(more.map(({ where }) => where.at(-1)?.split(':')[0])).toEqual(more.map(() => 'situation'));
    expect(change?.agents).toContain('clerk');
    expect(change?.where).toEqual(expect.arrayContaining([expect.stringContaining('parameters.amount: between 500 and 1000')]));
    expect([change?.from.decision, change?.to.decision, change?.effects]).toEqual(['STEP_UP', 'ALLOW', ['loosens']]);
    expect(change?.witness.action.parameters.amount).toBeGreaterThan(500);
    expect(change?.witness.action.parameters.amount).toBeLessThanOrEqual(1000);
  });

  it('looks only at the operations whose rules differ', () => {
    const found = compared('', allow);
    expect(found.counted.operations).toBe(1);
    expect(found.counted.unchanged_operations).toBeGreaterThan(20);
  });

  it('starts from nothing where nothing was in force', () => {
    const found = comparePolicies(null, policyFrom(policyText(allow)));
    expect(found.change).toBe('loosen');
    expect(decisions(found).map(({ tool, operation, from, to }) => [tool, operation, from.decision, to.decision])).toContainEqual(['payments', 'transfer', 'DENY', 'ALLOW']);
  });

  it('is the same every time', () => {
    const [one, other] = [1, 2].map(() => JSON.stringify(compared('', allow)));
    expect(one).toBe(other);
  });
});
