import { describe, expect, it } from 'vitest';

import { isSignable, isStale, proposalName, touchedWords, whatWords } from './proposal-words';

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

it('a grant that is asked for is named by its operation, and told in a sentence', () => {
  const grant = { agent: 'helper', tool: 'notes', operation: 'write', scope: { text: ['a', 'b'] }, uses: 2, expires_at: '2030-01-01T00:00:00.000Z', reason: null };
  const rules = { added: [], changed: [], removed: [] };
  expect(proposalName({ rules, target: 'grant', id: 'prp_0123456789abcdefghij12', grant })).toBe('notes.write');
  expect(whatWords({ target: 'grant', grant, rules })).toBe('Asks for a grant: helper might use it 2 times, where text is one of “a”, “b”.');
  expect(whatWords({ target: 'grant', grant: { ...grant, scope: null, uses: 1 }, rules })).toBe('Asks for a grant: helper might use it once, with any arguments.');
});
