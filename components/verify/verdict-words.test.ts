import { expect, test } from 'vitest';

import { passed, unknown, type CannotRederive, type Verdict } from '@/lib/verify/report';

import { drawnState, toneOf, verdictWords } from './verdict-words';

test('only a verified bundle gets the tone of the seal', () => {
  const verdicts: readonly Verdict[] = ['verified', 'consistent_issuer_not_verified', 'failed', 'unreadable'];
  expect(verdicts.map(toneOf)).toEqual(['pass', 'open', 'fail', 'fail']);
});

test('roots that only the bundle vouches for are drawn as not checked', () => {
  const roots = passed('trust_root', 'One trust root.');
  expect(drawnState(roots, 'consistent_issuer_not_verified')).toBe('skipped');
  expect(drawnState(roots, 'verified')).toBe('pass');
});

test('a verified bundle names how many questions stay open, another does not hide behind them', () => {
  const checks = [passed('chain', ''), unknown('rederivation', 'Withheld.'), unknown('completeness', 'A selection.')];
  expect(verdictWords({ verdict: 'verified', checks, rederived: { why: [] } }).means).toContain('2 questions stay open');
  expect(verdictWords({ verdict: 'verified', checks: checks.slice(0, 2), rederived: { why: [] } }).means).toContain('One question stays open');
  expect(verdictWords({ verdict: 'failed', checks, rederived: { why: [] } }).means).not.toContain('question');
});

test('decisions that only their signer vouches for are in the headline', () => {
  const of = (why: CannotRederive, count: number) => verdictWords({ verdict: 'verified', checks: [], rederived: { why: [{ why, count, example: 3, detail: '' }] } }).title;
  expect(of('other_version', 1)).toBe('Verified, except one decision that could not be decided again');
  expect(of('withheld', 1200)).toBe('Verified, except 1,200 decisions that could not be decided again');
  expect(of('not_asked', 5)).not.toContain('except');
});
