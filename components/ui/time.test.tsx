// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Time } from '@/components/ui/time';

const at = '2026-11-30T14:02:51Z';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-30T14:05:55Z') });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('is written in UTC by the server, which cannot know the viewer’s zone', () => {
  expect(renderToString(<Time at={at} />)).toContain('30 Nov 2026, 14:02 UTC');
  expect(renderToString(<Time at={at} form="clock" />)).toContain('14:02:51Z');
});

it('ages while it is looked at', () => {
  const { container } = render(<Time at={at} />);
  expect(container.querySelector('time')?.firstChild?.textContent).toBe('3 min ago');
  act(() => {
    vi.advanceTimersByTime(60_000);
  });
  expect(container.querySelector('time')?.firstChild?.textContent).toBe('4 min ago');
});

it('shows UTC on hover and on focus', () => {
  const { container } = render(<Time at={at} />);
  const time = container.querySelector('time');
  expect(time?.getAttribute('data-utc')).toBe('30 Nov 2026, 14:02:51 UTC');
  expect(time?.tabIndex).toBe(0);
});

it('stays out of the tab order inside a link', () => {
  const { container } = render(<Time at={at} focusable={false} />);
  expect(container.querySelector('time')?.hasAttribute('tabindex')).toBe(false);
  expect(container.querySelector('time')?.title).toBe('30 Nov 2026, 14:02:51 UTC');
});

it('does not invent an instant it cannot read', () => {
  const { container } = render(<Time at="yesterday" />);
  expect(container.textContent).toBe('unknown time');
});
