import { describe, expect, it } from 'vitest';

import { testId } from '@/lib/testing/ledger-builder';

import { ReceiptVerdicts, worst } from './receipt-verdicts';
import { failed, passed, unknown, type Check, type Report } from './report';

const action = testId('action', 1);
const rederived: Report['rederived'] = { reproduced: 1, differs: 0, cannot: 0, notes: [] };
const green: readonly Check[] = [passed('receipts', ''), passed('chain', ''), passed('tree', ''), passed('policies', ''), passed('sessions', ''), passed('votes', '')];
const withCheck = (check: Check): readonly Check[] => green.map((one) => (one.id === check.id ? check : one));
const verdicts = (checks: readonly Check[], more: Partial<Report> = {}) => new ReceiptVerdicts({ checks, rederived, pairing: [], ...more });
const at = (index: number) => ({ index, kind: 'action_decided' as const, action });
const stateOf = (found: ReceiptVerdicts, index: number, id: string) => found.of(at(index)).find((verdict) => verdict.id === id)?.state;

describe('a receipt', () => {
  it('is green when every check that looks at it passed', () => {
    expect(verdicts(green).stateOf(at(4))).toBe('pass');
  });

  it('is red where a check failed, green before, and neither after: the check never got there', () => {
    const found = verdicts(withCheck(failed('receipts', 'The signature does not verify.', 5)));
    expect([4, 5, 6].map((index) => stateOf(found, index, 'receipts'))).toEqual(['pass', 'fail', 'unknown']);
    expect(found.stateOf(at(6))).toBe('unknown');
  });

  it('is red where any check fails at it, also one that does not look at its kind', () => {
    expect(verdicts([...green, failed('guards', 'About nothing.', 4)]).stateOf(at(4))).toBe('fail');
  });

  it('is not called bad for a tree that does not add up: that names no receipt', () => {
    const found = verdicts(withCheck(failed('tree', 'Another root.', 0)));
    expect(stateOf(found, 0, 'tree')).toBe('unknown');
  });

  it('of a decision that comes out differently is red; of one that cannot be made again, open', () => {
    const notes = [{ index: 1, state: 'differs' as const, detail: 'DENY' }, { index: 2, state: 'cannot' as const, detail: 'The action is withheld.', why: 'withheld' as const }];
    const found = verdicts(green, { rederived: { ...rederived, notes } });
    expect([1, 2, 3].map((index) => found.stateOf(at(index)))).toEqual(['fail', 'unknown', 'pass']);
  });

  it('at which an action breaks is red, the action’s others are open', () => {
    const found = verdicts(green, { pairing: [{ action, verdict: 'redeemed_twice', broken: true, detail: 'Twice.', index: 8 }] });
    expect([7, 8].map((index) => stateOf(found, index, 'pairing'))).toEqual(['unknown', 'fail']);
  });

  it('that no check could judge is open', () => {
    expect(verdicts(withCheck(unknown('votes', 'No request.'))).stateOf({ index: 3, kind: 'approval_voted', action: null })).toBe('unknown');
    expect(worst([])).toBe('pass');
  });
});
