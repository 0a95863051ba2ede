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
});
