// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { UnverifiedQuote } from '@/components/ui/quote';
import { UntrustedText } from '@/components/ui/untrusted-text';

afterEach(cleanup);

it('is never markup, a link or an image', () => {
  const { container } = render(<UntrustedText text={'<img src=x onerror=alert(1)> [ok](https://evil.test) **bold** &lt;'} />);
  expect(container.querySelectorAll('img, a, b, strong')).toHaveLength(0);
  expect(container.textContent).toBe('<img src=x onerror=alert(1)> [ok](https://evil.test) **bold** &lt;');
});

it('shows a reordering character as its code point', () => {
  render(<UntrustedText text={'approved \u202Eton'} />);
  expect(screen.getByText('U+202E').title).toBe('reorders text');
});

it.each([
  ['none', 'plain words', 'no hidden characters'],
  ['one', 'a\u200Bb', '1 hidden character shown'],
  ['three', 'a\u200Bb\u202Ec\u202C', '3 hidden characters shown'],
])('a quote names its author, says unverified and counts hidden characters: %s', (_count, text, words) => {
  render(<UnverifiedQuote by="ops-janitor's stated reason" text={text} />);
  expect(screen.getByText("ops-janitor's stated reason, unverified")).toBeTruthy();
  expect(screen.getByText(words)).toBeTruthy();
});
