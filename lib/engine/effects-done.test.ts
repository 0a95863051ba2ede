import { describe, expect, test } from 'vitest';

import type { PriorAction, Snapshot } from '@/lib/context/snapshot';
import type { Effect } from '@/lib/mediate/catalogue';
import type { ActionId } from '@/lib/shared/ids';
import { at, decideAbout, policyFrom, policyText } from '@/lib/testing/engine-fixtures';

const ran = (minutes: number, ...shown: readonly Effect[]): PriorAction => ({
  action: 'act_0000000000000000000000' as ActionId, tool: 'shell', operation: 'exec', effect: 'execute', ...(shown.length === 0 ? {} : { effects: ['execute', ...shown] }), at: at(minutes), labels: [],
});
const sent: PriorAction = { ...ran(5), tool: 'email', operation: 'send', effect: 'communicate' };

function before(recent: readonly PriorAction[], more: Readonly<Record<string, number>> = {}): Snapshot['prior'] {
  const counts: Record<string, number> = { ...more };
  for (const { tool, operation } of recent) counts[`${tool}.${operation}`] = (counts[`${tool}.${operation}`] ?? 0) + 1;
  return { recent, counts, total: Object.values(counts).reduce((total, count) => total + count, 0) };
}

/** What a rule with this condition says of a mail, when it denies over ALLOW. */
const decided = (context: string, prior: Snapshot['prior']): string =>
  decideAbout(policyFrom(policyText(`  - { id: r, match: { tool: email }, context: { ${context} }, action: DENY }\n  - { id: open, match: { tool: email }, action: ALLOW }`)), 'email.send', { to: 'a@b.example', body: 'x' }, { prior }).decision;

describe('what commands did counts by what their arguments showed', () => {
  test.each<[string, string, Snapshot['prior'], string]>([
    ['in a count with a time', 'count: { effect: communicate, gte: 2, within: 1h }', before([ran(9, 'communicate'), ran(5, 'communicate')]), 'DENY'],
    ['in a count of all', 'count: { effect: communicate, gte: 2 }', before([ran(9, 'communicate'), ran(5, 'communicate')]), 'DENY'],
    ['in one with what the catalogue says of others', 'volume: { effect: communicate, gte: 2 }', before([ran(9, 'communicate'), sent]), 'DENY'],
    ['beside what the catalogue says of it', 'count: { effect: execute, gte: 2 }', before([ran(9, 'communicate'), ran(5)]), 'DENY'],
    ['once, when it showed several that are meant', 'count: { effect: [communicate, destructive], gte: 2 }', before([ran(9, 'communicate', 'destructive')]), 'ALLOW'],
    ['and not where it showed nothing of the kind', 'count: { effect: communicate, gte: 1 }', before([ran(9), ran(5, 'destructive')]), 'ALLOW'],
    ['as a step of a sequence', 'sequence: { steps: [{ effect: destructive }, { tool: email }], within: 1h }', before([ran(9, 'destructive')]), 'DENY'],
    ['and is no step that it did not take', 'sequence: { steps: [{ effect: destructive }, { tool: email }], within: 1h }', before([ran(9, 'communicate')]), 'ALLOW'],
    ['in sums', 'volume: { effect: communicate, of: amounts, gt: 10 }', before([{ ...ran(9, 'communicate'), amount: 11 }]), 'DENY'],
    ['and is not guessed where it is out of sight', 'count: { effect: communicate, gte: 2 }', before([ran(9, 'communicate')], { 'shell.exec': 300 }), 'DEFER'],
    ['nor as a step that may have been taken', 'sequence: { steps: [{ effect: destructive }, { tool: email }] }', before([ran(9)], { 'shell.exec': 300 }), 'DEFER'],
    ['but what is at hand may be enough', 'count: { effect: communicate, gte: 1 }', before([ran(9, 'communicate')], { 'shell.exec': 300 }), 'DENY'],
    ['as may what the totals say of others', 'count: { effect: communicate, gte: 300 }', before([ran(9)], { 'email.send': 300, 'shell.exec': 300 }), 'DENY'],
    ['exactly where all commands are at hand', 'count: { effect: communicate, gt: 301 }', before([ran(9, 'communicate')], { 'email.send': 300 }), 'ALLOW'],
    ['exactly where the totals leave out no command', 'count: { effect: communicate, gte: 1, within: 1h }', before([ran(9)], { 'email.read': 300 }), 'ALLOW'],
    ['and the totals settle what the catalogue says of it', 'count: { effect: execute, gte: 300 }', before([], { 'shell.exec': 300 }), 'DENY'],
  ])('%s', (_, context, prior, wanted) => {
    expect(decided(context, prior)).toBe(wanted);
  });
});
