// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { Checks, checksLeft } from '@/components/ui/checks';

afterEach(cleanup);

const checks = [{ id: 'untrusted-target', claim: 'One filter came from untrusted text.' }, { id: 'no-snapshot', claim: 'It cannot be undone.' }];

it('counts what is left, and is silent once everything is ticked', () => {
  expect(checksLeft(checks, new Set())).toBe('2 checks left');
  expect(checksLeft(checks, new Set(['no-snapshot']))).toBe('1 check left');
  expect(checksLeft(checks, new Set(['no-snapshot', 'untrusted-target']))).toBeUndefined();
});

it('does not take a tick of another finding for one of these', () => {
  expect(checksLeft(checks, new Set(['something-else', 'and-more']))).toBe('2 checks left');
});

it('reports which finding was judged', async () => {
  const onTick = vi.fn();
  render(<Checks checks={checks} ticked={new Set(['no-snapshot'])} onTick={onTick} />);
  await userEvent.click(screen.getByRole('checkbox', { name: /untrusted text/ }));
  await userEvent.click(screen.getByRole('checkbox', { name: /cannot be undone/ }));
  expect(onTick.mock.calls).toEqual([['untrusted-target', true], ['no-snapshot', false]]);
});

it('is absent when no finding asks for one', () => {
  const { container } = render(<Checks checks={[]} ticked={new Set()} onTick={() => undefined} />);
  expect(container.innerHTML).toBe('');
});
