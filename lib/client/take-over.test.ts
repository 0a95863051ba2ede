import { describe, expect, it } from 'vitest';

import { takeOver } from './take-over';

const rule = (id: string, action: string): string => `  - id: ${id}\n    match: { tool: ${id} }\n    # why\n    priority: 1\n    action: ${action}\n`;
const policy = (a: string, b: string, c: string): string => `rules:\n${rule('a', a)}${rule('b', b)}${rule('c', c)}`;

describe('taking over the changes of a newer revision', () => {
  it('keeps one’s own where they stand apart', () => {
    expect(takeOver(policy('DENY', 'DENY', 'DENY'), policy('ALLOW', 'DENY', 'DENY'), policy('DENY', 'DENY', 'STEP_UP'))).toBe(policy('ALLOW', 'DENY', 'STEP_UP'));
  });

  it('finds them where lines were added before', () => {
    const own = policy('DENY', 'DENY', 'DENY').replace('rules:\n', `rules:\n${rule('new', 'DEFER')}`);
    expect(takeOver(policy('DENY', 'DENY', 'DENY'), policy('DENY', 'DENY', 'ALLOW'), own)).toBe(policy('DENY', 'DENY', 'ALLOW').replace('rules:\n', `rules:\n${rule('new', 'DEFER')}`));
  });

  it('gives up where both changed the same line', () => {
    expect(takeOver(policy('DENY', 'DENY', 'DENY'), policy('ALLOW', 'DENY', 'DENY'), policy('STEP_UP', 'DENY', 'DENY'))).toBeNull();
  });

  it('changes nothing where the other did not, and takes the other where this one did not', () => {
    const base = policy('DENY', 'DENY', 'DENY');
    expect(takeOver(base, base, policy('ALLOW', 'DENY', 'DENY'))).toBe(policy('ALLOW', 'DENY', 'DENY'));
    expect(takeOver(base, policy('ALLOW', 'DENY', 'DENY'), base)).toBe(policy('ALLOW', 'DENY', 'DENY'));
  });
});
