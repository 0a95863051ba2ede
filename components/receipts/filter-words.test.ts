import { describe, expect, it } from 'vitest';

import { countWords, filterSentence, shownFilters } from './filter-words';

describe('filters in words', () => {
  it('name each filter and what it lets through', () => {
    expect(shownFilters({ decision: 'STEP_UP', revision: 7, text: 'refund', span: 'today' }).map(({ label, value }) => `${label} ${value}`)).toEqual([
      'time today, UTC', 'decision Step up', 'policy r7', 'text “refund”',
    ]);
  });

  it('make one sentence', () => {
    expect(filterSentence({})).toBe('');
    expect(filterSentence({ agent: 'ops' })).toBe('agent ops');
    expect(filterSentence({ decision: 'DENY', kind: 'action_decided', agent: 'ops' })).toBe('decision Deny, kind action decided and agent ops');
  });

  it('say of an estimate that it is one, and no more digits than it is good for', () => {
    expect(countWords({ value: 9_998, about: false })).toBe('9,998');
    expect(countWords({ value: 41_882, about: true })).toBe('about 42,000');
    expect(countWords({ value: 4_987_654, about: true })).toBe('about 5,000,000');
  });
});
