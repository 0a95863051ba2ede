// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Countdown } from '@/components/ui/countdown';

const start = Date.parse('2026-11-30T14:05:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function pass(ms: number) {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

function inMs(ms: number): string {
  return new Date(start + ms).toISOString();
}

it('announces five minutes, one minute and zero, and nothing in between', () => {
  render(<Countdown deadline={inMs(302_000)} atZero="denied" />);
  const said: string[] = [];
  const status = screen.getByRole('status');
  for (let seconds = 0; seconds <= 305; seconds += 1) {
    const now = status.textContent;
    if (now !== '' && now !== said.at(-1)) said.push(now);
    pass(1_000);
  }
  expect(said).toEqual(['5 minutes left until it is denied.', '1 minute left until it is denied.', 'Time ran out: denied.']);
});

it('says in words how long is left and what happens then', () => {
  render(<Countdown deadline={inMs(466_000)} atZero="denied" />);
  expect(screen.getByRole('timer').getAttribute('aria-label')).toBe('7 minutes 46 seconds until it is denied');
  expect(screen.getByText('07:46')).toBeTruthy();
});

it('goes by the server clock when this browser is wrong', () => {
  render(<Countdown deadline={inMs(60_000)} atZero="denied" offsetMs={30_000} />);
  expect(screen.getByText('00:30')).toBeTruthy();
});

it('stops while not live, and says so instead of guessing', () => {
  render(<Countdown deadline={inMs(60_000)} atZero="denied" live={false} />);
  expect(screen.getByText('--:--')).toBeTruthy();
  expect(screen.getByRole('timer').getAttribute('aria-label')).toBe('Time left is unknown while not live');
});

it('calls back once at zero and never counts below it', () => {
  const onZero = vi.fn();
  render(<Countdown deadline={inMs(2_000)} atZero="denied" onZero={onZero} />);
  pass(5_000);
  expect(onZero).toHaveBeenCalledOnce();
  expect(screen.getByText('00:00')).toBeTruthy();
});

it('does not announce what had already passed when the page was opened', () => {
  const onZero = vi.fn();
  render(<Countdown deadline={inMs(-10_000)} atZero="denied" onZero={onZero} />);
  pass(3_000);
  expect(screen.getByRole('status').textContent).toBe('');
  expect(onZero).not.toHaveBeenCalled();
});
