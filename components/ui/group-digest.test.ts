import { expect, it } from 'vitest';
import { groupDigest } from '@/components/ui/group-digest';

it.each([
  ['hexadecimal', '9f3c41ab77e0', ['9f3c', '41ab', '77e0']],
  ['with its algorithm', 'sha256:9f3c41ab', ['9f3c', '41ab']],
  ['of a length that four does not divide', 'abcdef', ['abcd', 'ef']],
  ['empty', '', []],
])('a digest %s is cut into groups of four', (_what, value, expected) => {
  expect(groupDigest(value)).toEqual(expected);
});

it('keeps every character of the digest', () => {
  const digest = 'b6c903fe2a71e84d61d097bb4f251c3ad85e8a6fc2d80be49f3c41ab77e05d12';
  expect(groupDigest(digest).join('')).toBe(digest);
});
