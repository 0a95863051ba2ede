import { describe, expect, it } from 'vitest';

import { signInLimits } from './sign-in-limits';

const minute = 60_000;

describe('limits on signing in', () => {
  it('stop the eleventh try of a pair until a quarter of an hour has passed', () => {
    const limits = signInLimits();
    for (let i = 0; i < 10; i++) limits.failed('a@x.example', '10.0.0.1', i);
    expect(limits.mayTry('a@x.example', '10.0.0.1', minute)).toBe(false);
    expect(limits.mayTry('b@x.example', '10.0.0.1', minute)).toBe(true);
    expect(limits.mayTry('a@x.example', '10.0.0.1', 15 * minute + 10)).toBe(true);
  });

  it('count an account across addresses, so that a made-up address header does not help', () => {
    const limits = signInLimits();
    for (let i = 0; i < 50; i++) limits.failed('a@x.example', `10.0.0.${i}`, i);
    expect(limits.mayTry('a@x.example', '192.0.2.1', minute)).toBe(false);
  });

  it('forget a pair that got in, but not the account', () => {
    const limits = signInLimits();
    for (let i = 0; i < 10; i++) limits.failed('a@x.example', '10.0.0.1', i);
    limits.succeeded('a@x.example', '10.0.0.1');
    expect(limits.mayTry('a@x.example', '10.0.0.1', minute)).toBe(true);
  });

  it('keep a bounded number of counters', () => {
    const limits = signInLimits();
    for (let i = 0; i < 10; i++) limits.failed('first@x.example', '10.0.0.1', 0);
    for (let i = 0; i < 20_000; i++) limits.failed(`p${i}@x.example`, '10.0.0.1', 1);
    expect(limits.mayTry('first@x.example', '10.0.0.1', 2)).toBe(true);
  });
});
