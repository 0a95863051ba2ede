import { describe, expect, test } from 'vitest';

import { planAsks, type AskableField, type PastAttempt } from './plan-asks';

const at = (seconds: number): string => new Date(Date.parse('2027-03-01T14:00:00.000Z') + seconds * 1000).toISOString();
const owner: AskableField = { subject: 'database:orders', name: 'owner', source: 'ip:records' };
const elsewhere: AskableField = { ...owner, source: 'ip:registry' };
const critical: AskableField = { ...owner, name: 'criticality' };
const rules = { pausesS: [5, 30], answerWithinS: 15 };
const past = (attempt: number, asked: number, outcome: PastAttempt['outcome'], answered = asked + 1, field = owner): PastAttempt => ({
  ...field, attempt, asked_at: at(asked), answered_at: outcome === null ? null : at(answered), outcome,
});
const plan = (now: number, wanted: readonly AskableField[], attempts: readonly PastAttempt[]) => planAsks(wanted, attempts, at(now), rules);

describe('information points', () => {
  test('are asked for every field at once, each source by itself', () => {
    expect(plan(0, [owner, elsewhere, critical], []).ask).toEqual([owner, elsewhere, critical].map((field) => ({ ...field, attempt: 1 })));
  });

  test('that failed are asked again after a pause that grows, three times in all', () => {
    const first = past(1, 0, 'failed');
    expect(plan(5, [owner], [first])).toEqual({ ask: [], interrupted: [], next: at(6) });
    expect(plan(6, [owner], [first]).ask).toEqual([{ ...owner, attempt: 2 }]);
    const second = past(2, 6, 'failed');
    expect(plan(30, [owner], [first, second])).toEqual({ ask: [], interrupted: [], next: at(37) });
    expect(plan(37, [owner], [first, second]).ask).toEqual([{ ...owner, attempt: 3 }]);
    expect(plan(999, [owner], [first, second, past(3, 37, 'failed')])).toEqual({ ask: [], interrupted: [], next: null });
  });

  test.each(['supplied', 'unavailable'] as const)('are never asked again for a field that one of them settled as %s', (outcome) => {
    expect(plan(999, [owner, elsewhere], [past(1, 0, outcome)])).toEqual({ ask: [], interrupted: [], next: null });
  });

  test('are not asked while they are being asked', () => {
    expect(plan(10, [owner], [past(1, 0, null)])).toEqual({ ask: [], interrupted: [], next: at(15) });
  });

  test('whose answer went down with whoever asked have failed, and are asked again after the pause', () => {
    const lost = past(1, 0, null);
    const { ask, interrupted, next } = plan(15, [owner], [lost]);
    expect({ ask, interrupted, next }).toEqual({ ask: [], interrupted: [lost], next: at(20) });
    expect(plan(20, [owner], [{ ...lost, outcome: 'failed', answered_at: at(15) }]).ask).toEqual([{ ...owner, attempt: 2 }]);
  });

  test('are not asked at all when nothing is wanted of them', () => {
    expect(plan(0, [], [past(1, 0, 'failed')])).toEqual({ ask: [], interrupted: [], next: null });
  });
});
