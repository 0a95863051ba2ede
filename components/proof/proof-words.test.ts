import { describe, expect, it } from 'vitest';

import type { Comparison } from '@/lib/policy/compare/comparison';

import { comparisonWords, replayWords, witnessText } from './proof-words';

const comparison = (effects: readonly ('loosens' | 'tightens' | 'moves')[][], more: Partial<Comparison> = {}): Comparison => ({
  change: 'mixed', further: 0, unproved: [], method: 'classes/2', exhaustive: true, counted: { classes: 18_432, operations: 3, unchanged_operations: 40 },
  changes: effects.map((one) => ({ of: 'setting', setting: 'permits.ttl', from: 1, to: 2, effects: one })), ...more,
});

describe('words of a proof', () => {
  it('say how many groups go which way, and that there is no other difference only where everything was searched', () => {
    expect(comparisonWords(comparison([['loosens'], ['loosens'], ['loosens']]))).toBe('3 groups loosen and none tightens. All 18,432 classes of actions that the two texts tell apart were decided under both, in 3 operations; nothing about the other 40 operations changes. There is no other difference.');
    expect(comparisonWords(comparison([['tightens']]))).toContain('None loosens and 1 tightens.');
    expect(comparisonWords(comparison([['moves']]))).toContain('1 goes to others to decide');
    expect(comparisonWords(comparison([]))).toMatch(/^No decision changes\. All 18,432/);
    expect(comparisonWords(comparison([['loosens']], { exhaustive: false }))).toBe('1 group loosens and none tightens. The search did not cover everything: what is missing stands below.');
    expect(comparisonWords(comparison([['loosens']], { further: 4 }))).toContain('4 more changes are counted and not listed.');
  });

  it('tell what would run unattended apart from what would be asked about, and what people had said of it', () => {
    const replay = { decisions: 60, newly_allowed: 50, newly_stopped: 0, other_terms: 0, transitions: [{ now: 'DENY', then: 'ALLOW', count: 38 }, { now: 'DENY', then: 'STEP_UP', count: 6 }, { now: 'STEP_UP', then: 'ALLOW', count: 12 }] } as const;
    expect(replayWords({ ...replay, transitions: [...replay.transitions], unattended: { approved: 9, denied: 1, other: 2 } })).toEqual([
      '50 actions that were stopped or asked about would run unattended.', '6 actions that were stopped would be asked about.', 'People had denied 1 of those that would run.', 'People had approved 9 of them.',
    ]);
    expect(replayWords({ decisions: 3, newly_allowed: 0, newly_stopped: 0, other_terms: 0, transitions: [] })).toEqual(['Every decision comes out as it does now.']);
    expect(replayWords({ decisions: 0, newly_allowed: 0, newly_stopped: 0, other_terms: 0, transitions: [] })).toEqual(['No decision was made in this time.']);
  });

  it('write a witness in one line', () => {
    expect(witnessText({ tool: 'storage', operation: 'put', parameters: { path: 'a.csv', size: 4, tags: ['PII'] } })).toBe('storage.put path: a.csv, size: 4, tags: ["PII"]');
  });
});
