// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { SealVerdict, verdictState, type VerdictCheck } from '@/components/ui/seal-verdict';

afterEach(cleanup);

function checks(...states: readonly VerdictCheck['state'][]): readonly VerdictCheck[] {
  return states.map((state, index) => ({ key: String(index), state, claim: `Check ${index}` }));
}

const limits = [{ key: 'inputs', claim: 'That the inputs were true.', because: 'A tool that lied is recorded faithfully.' }];

describe('the seal', () => {
  it.each([
    ['all passed', checks('pass', 'pass'), 'pass'],
    ['one failed', checks('pass', 'fail', 'running'), 'fail'],
    ['one is still running', checks('pass', 'running'), 'open'],
    ['one was skipped', checks('pass', 'skipped'), 'open'],
    ['nothing was checked', checks(), 'open'],
  ] as const)('when %s the verdict is right', (_what, list, expected) => {
    expect(verdictState(list)).toBe(expected);
    const { container } = render(<SealVerdict title="Verdict" how="Here" checks={list} limits={limits} />);
    expect(container.querySelector('.seal') !== null).toBe(expected === 'pass');
    expect(screen.getByText('That the inputs were true.')).toBeTruthy();
  });
});
