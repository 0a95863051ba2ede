import { describe, expect, test } from 'vitest';

import type { Signal } from '@/lib/context/snapshot';
import { decideAbout, policyFrom, policyText } from '@/lib/testing/engine-fixtures';
import { request, snap, stateAfter } from '@/lib/testing/context-builders';

import type { Decision } from './decision';
import { signalNames } from './signal-names';

const fits: Signal = { name: 'verb_alignment', score: 900, weight: 1000, evidence: 'the request names it' };
const injection = (score: number | null, missing?: string): Signal => ({ name: 'injection', score, weight: 0, evidence: 'x', ...(missing === undefined ? {} : { missing }) });

function about(condition: string, action: string, signals: readonly Signal[]): Decision {
  const open = action === 'ALLOW' ? '' : '  - { id: open, match: { tool: email }, action: ALLOW }\n';
  const policy = policyFrom(policyText(`  - { id: r, match: { tool: email }, context: { risk_signals: { ${condition} } }, action: ${action} }\n${open}`));
  return decideAbout(policy, 'email.send', { to: 'bob@corp.example', body: 'x' }, { signals: [fits, ...signals] });
}

describe('a rule on a signal', () => {
  test.each<[string, readonly Signal[], string]>([
    ['injection: { gt: 0.5 }', [injection(400)], 'DENY'],
    ['injection: { gt: 0.5 }', [injection(500)], 'ALLOW'],
    ['injection: { gte: 0.5 }', [injection(500)], 'DENY'],
    ['injection: { gt: 0.5 }', [], 'ALLOW'],
    ['injection: { gt: 0.5 }', [injection(900), injection(100)], 'DENY'],
    ['injection: { gt: 0.5 }', [injection(null, 'user_intent')], 'DEFER'],
  ])('that denies at %s', (condition, signals, wanted) => {
    expect(about(condition, 'DENY', signals).decision).toBe(wanted);
  });

  test.each<[readonly Signal[], string]>([
    [[injection(800)], 'STEP_UP'],
    [[injection(700)], 'DENY'],
    [[injection(800), injection(100)], 'DENY'],
    [[], 'DENY'],
  ])('that allows below 0.3 needs every one to be low and there: %j', (signals, wanted) => {
    expect(about('injection: { lt: 0.3 }', 'ALLOW', signals).decision).toBe(wanted);
  });

  test('names what would settle it', () => {
    expect(about('injection: { gt: 0.5 }', 'DENY', [injection(null, 'user_intent')]).deferral?.missing).toEqual([{ field: 'user_intent', suppliers: ['orchestrator'] }]);
  });

  test('may name every signal that is measured', () => {
    const state = stateAfter(request('Send the report to bob@corp.example, pay 5 and delete the table t.'));
    const actions = [['email.send', { to: 'bob@corp.example', body: 'x' }], ['payments.transfer', { to: 'DE-1', amount: 5, currency: 'EUR' }], ['database.delete', { table: 't' }]] as const;
    const measured = new Set(actions.flatMap(([name, parameters]) => snap(state, name, parameters).signals.map((signal) => signal.name)));
    expect([...measured].filter((name) => !signalNames.some((known) => known === name))).toEqual([]);
    expect(measured.size).toBeGreaterThan(8);
  });
});
