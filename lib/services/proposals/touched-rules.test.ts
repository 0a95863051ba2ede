import { describe, expect, it } from 'vitest';

import { touchedRules } from './touched-rules';

const text = 'id: house\nrules:\n  - id: allow-notes\n    action: ALLOW\n  - id: no-mail\n    action: DENY\n';

describe('the rules that a proposal touches', () => {
  it('are those added, changed and taken away', () => {
    const next = text.replace('action: ALLOW', 'action: STEP_UP').replace('  - id: no-mail\n    action: DENY\n', '  - id: no-calls\n    action: DENY\n');
    expect(touchedRules(text, next)).toEqual({ added: ['no-calls'], changed: ['allow-notes'], removed: ['no-mail'] });
  });

  it('are none where only settings change, or only blank lines', () => {
    expect(touchedRules(text, `${text}\n`)).toEqual({ added: [], changed: [], removed: [] });
    expect(touchedRules(text, text.replace('house', 'home'))).toEqual({ added: [], changed: [], removed: [] });
  });

  it.each([
    ['a line of its own', text.replace('    action: DENY\n', '    # Nobody reads it.\n    action: DENY\n')],
    ['the end of a line', text.replace('action: DENY', 'action: DENY # Nobody reads it.')],
    ['the end of the text', `${text}# Said by an agent.\n`],
  ])('are none where only a comment is added, at %s', (_where, next) => {
    expect(touchedRules(text, next)).toEqual({ added: [], changed: [], removed: [] });
    expect(touchedRules(next, text)).toEqual({ added: [], changed: [], removed: [] });
  });

  it('are those whose words change after a "#" that begins no comment, beside others where it does', () => {
    const [before, after] = ['#1', '#2'].map((word) => text.replace('action: ALLOW', `action: ALLOW\n    reason: "See ${word}."`).replace('action: DENY', `action: DENY # ${word}`));
    expect(touchedRules(before ?? '', after ?? '')).toEqual({ added: [], changed: ['allow-notes'], removed: [] });
  });
});
