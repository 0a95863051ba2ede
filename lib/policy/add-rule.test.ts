import { describe, expect, it } from 'vitest';

import { policyFrom, policyText } from '@/lib/testing/engine-fixtures';

import { addRule } from './add-rule';

const rule = { id: 'added', match: { tool: 'email', operation: 'send', parameters: { to: 'a: #b', n: { in: [1, 2] } } }, action: 'ALLOW', priority: 201, reason: 'Because: "so".' };
const plain = { id: 'added', match: { tool: 'email', operation: 'send', parameters: { to: 'bob@corp.example' } }, action: 'ALLOW', reason: 'Because: "so".' };

const added = (text: string, format: 'yaml' | 'markdown' | 'json' = 'yaml') => {
  const result = addRule(text, format, plain);
  if (!result.ok) throw new Error(result.error.detail);
  return result.value;
};

describe('a rule added to a policy', () => {
  const text = policyText(`  # first comes the denial\n  - id: stop\n    match: { tool: email, operation: send }\n    action: DENY   # always\n    reason: No.\n  # and that is all`);

  it('stands behind the last one and loads, and every other byte stays as it was', () => {
    const result = added(text);
    expect(policyFrom(result).rules.map(({ id }) => id).toSorted()).toEqual(['added', 'stop']);
    const lines = result.split('\n');
    const own = lines.filter((line) => !text.split('\n').includes(line));
    expect(lines.filter((line) => !own.includes(line)).join('\n')).toBe(text);
  });

  it('keeps what follows the rules, whatever it is', () => {
    const after = text.replace(/\nrules:[\s\S]*$/, (rules) => `${rules.trimEnd()}\ntools:\n  - { name: email.send, decision: DENY }\n`);
    expect(policyFrom(added(after)).rules).toHaveLength(2);
    expect(added(after).endsWith('tools:\n  - { name: email.send, decision: DENY }\n')).toBe(true);
  });

  it('goes into the block of a Markdown policy, and leaves its prose alone', () => {
    const markdown = `# Mail\n\nNobody mails.\n\n\`\`\`yaml policy\n${text}\`\`\`\n\nThat is all.\n`;
    const result = added(markdown, 'markdown');
    expect(policyFrom(result, 'markdown').rules).toHaveLength(2);
    expect(result.endsWith('That is all.\n')).toBe(true);
  });

  it('says what it says, whatever characters its values hold', () => {
    const result = addRule(text, 'yaml', rule);
    expect(result.ok && result.value).toContain('"a: #b"');
  });

  it('is refused where the rules are not written in lines', () => {
    for (const [other, format] of [['{"rules": []}', 'json'], [policyText(''), 'yaml'], [text.replace(/rules:[\s\S]*$/, 'rules: [{ id: a }]\n'), 'yaml']] as const) {
      expect(addRule(other, format, plain)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    }
  });
});
