import { describe, expect, it } from 'vitest';

import { isSignable, isStale, proposalName, touchedWords } from './proposal-words';

const rules = { added: ['new-rule'], changed: ['mail', 'notes'], removed: [] };

describe('a proposal in words', () => {
  it('is named by the rules that it touches, not by what somebody says of it', () => {
    expect(proposalName({ rules, target: 'policy', id: 'prp_0123456789abcdefghij12' })).toBe('new-rule +2');
    expect(proposalName({ rules: { added: [], changed: [], removed: [] }, target: 'policy', id: 'prp_0123456789abcdefghij12' })).toBe('settings · ghij12');
  });

  it('says what it does to the text', () => {
    expect(touchedWords(rules)).toBe('Adds 1 rule and changes 2 rules.');
    expect(touchedWords({ added: [], changed: [], removed: [] })).toBe('Changes no rule by itself: settings, or words only.');
  });

  it('is stale when nothing of what it rests on is there, and red cannot be signed', () => {
    expect(isStale({ state: 'open', rests_on: 'nothing' })).toBe(true);
    expect(isStale({ state: 'applied', rests_on: 'nothing' })).toBe(false);
    expect(isSignable({ state: 'signed', rests_on: 'in_force', applicable: true })).toBe(true);
    expect(isSignable({ state: 'open', rests_on: 'in_force', applicable: false })).toBe(false);
  });
});
