import { describe, expect, test } from 'vitest';

import type { PriorAction, Snapshot } from '@/lib/context/snapshot';
import type { ActionId } from '@/lib/shared/ids';
import { at, decideAbout, issuesOf, policyFrom, policyText } from '@/lib/testing/engine-fixtures';
import { permit, snap, stateAfter } from '@/lib/testing/context-builders';

const paid = (amount: number | undefined, minutes: number): PriorAction => ({
  action: 'act_0000000000000000000000' as ActionId, tool: 'payments', operation: 'transfer', effect: 'spend', at: at(minutes), labels: [], ...(amount === undefined ? {} : { amount }),
});
const mailed: PriorAction = { ...paid(undefined, 5), tool: 'email', operation: 'send', effect: 'communicate' };
const before = (recent: readonly PriorAction[], total = recent.length): Snapshot['prior'] => ({ recent, total, counts: { 'payments.transfer': total } });

/** What a rule with this volume says of a payment of 100, when it denies over ALLOW. */
function decided(volume: string, prior: Snapshot['prior'], amount: unknown = 100): string {
  const policy = policyFrom(policyText(`  - { id: r, match: { tool: payments }, context: { volume: { ${volume} } }, action: DENY }\n  - { id: open, match: { tool: payments }, action: ALLOW }`));
  return decideAbout(policy, 'payments.transfer', { to: 'DE-1', amount: amount as number, currency: 'EUR' }, { prior }).decision;
}

describe('a volume of amounts', () => {
  test.each<[string, string, Snapshot['prior'], string]>([
    ['counts the payment itself', 'of: amounts, gt: 99', before([]), 'DENY'],
    ['is kept up to the limit', 'of: amounts, gt: 100', before([]), 'ALLOW'],
    ['adds what was paid before', 'of: amounts, gt: 500', before([paid(300, 20), paid(150, 5)]), 'DENY'],
    ['is kept exactly at the limit', 'of: amounts, gt: 550', before([paid(300, 20), paid(150, 5)]), 'ALLOW'],
    ['forgets what is older than its time', 'of: amounts, gt: 500, within: 10m', before([paid(300, 20), paid(150, 5)]), 'ALLOW'],
    ['leaves out other tools', 'of: amounts, tool: payments, gt: 500', { ...before([paid(300, 20), { ...mailed, amount: 1000 }]), counts: { 'payments.transfer': 1, 'email.send': 1 } }, 'ALLOW'],
    ['needs no amount of what has none', 'of: amounts, gt: 500', { ...before([mailed]), counts: { 'email.send': 1 } }, 'ALLOW'],
    ['takes nothing away for what is below zero', 'of: amounts, gt: 350', before([paid(300, 20), paid(-300, 5)]), 'DENY'],
    ['adds fractions as people do', 'of: amounts, gt: 100.3', before([paid(0.1, 5), paid(0.2, 5)]), 'ALLOW'],
    ['settles a limit that what is at hand exceeds', 'of: amounts, gt: 300', before([paid(250, 20)], 900), 'DENY'],
    ['does not guess what is out of sight', 'of: amounts, gt: 500', before([paid(250, 20)], 900), 'DEFER'],
    ['does not guess an amount that nobody wrote down', 'of: amounts, gt: 500', before([paid(undefined, 20)]), 'DEFER'],
    ['of actions counts those before', 'of: actions, gte: 2', before([paid(1, 5), paid(1, 5)]), 'DENY'],
  ])('%s', (_, volume, prior, wanted) => {
    expect(decided(volume, prior)).toBe(wanted);
  });

  test('of an amount that is no number is what the rule is about', () => {
    expect(decided('of: amounts, gt: 500', before([]), 'much')).toBe('DENY');
  });

  test('is fed by the permits of the session', () => {
    const state = stateAfter({ ...permit(1, 'payments.transfer', { to: 'DE-1', amount: 40, currency: 'EUR' }), amount: 40 } as ReturnType<typeof permit>, permit(2, 'files.read', { path: 'a' }));
    expect(snap(state, 'payments.transfer', { to: 'DE-1', amount: 1, currency: 'EUR' }).prior.recent.map(({ amount }) => amount)).toEqual([40, undefined]);
  });

  test('belongs to volume and velocity', () => {
    const issues = (context: string): readonly string[] => issuesOf(policyText(`  - { id: r, match: { tool: payments }, context: { ${context} }, action: DENY }`)).map(({ message, fix }) => `${message} ${fix ?? ''}`);
    expect(issues('velocity: { of: amounts, gt: 500, within: 1h }')).toEqual([]);
    expect(issues('count: { of: amounts, gt: 500 }').join()).toMatch(/count is not of "amounts".*write volume/);
    expect(issues('volume: { of: money, gt: 500 }').join()).toMatch(/volume is not of "money"/);
  });
});
