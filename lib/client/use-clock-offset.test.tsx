// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nearest, useClockOffset } from '@/lib/client/use-clock-offset';

const start = Date.parse('2026-11-30T14:05:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('keeps the reading that was quickest on its way, so that no more time is shown than there is', () => {
  const { result, rerender } = renderHook(({ now }) => useClockOffset(now), { initialProps: { now: new Date(start - 900).toISOString() } });
  expect(result.current).toBe(-900);
  vi.setSystemTime(start + 10_000);
  rerender({ now: new Date(start + 9_950).toISOString() });
  expect(result.current).toBe(-50);
  vi.setSystemTime(start + 20_000);
  rerender({ now: new Date(start + 19_400).toISOString() });
  expect(result.current).toBe(-50);
});

it('starts anew when the browser clock was set', () => {
  expect(nearest(500, -3_600_000)).toBe(-3_600_000);
});

it('is not moved by a time that cannot be read', () => {
  const { result, rerender } = renderHook(({ now }) => useClockOffset(now), { initialProps: { now: new Date(start + 40).toISOString() } });
  const known = result.current;
  rerender({ now: 'soon' });
  expect(result.current).toBe(known);
});

it('is one value for the whole page', () => {
  const first = renderHook(() => useClockOffset(new Date(start + 200).toISOString()));
  const second = renderHook(() => useClockOffset(new Date(start + 900).toISOString()));
  expect(second.result.current).toBe(900);
  first.rerender();
  expect(first.result.current).toBe(900);
});
