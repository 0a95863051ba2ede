import { expect, it } from 'vitest';

import { safePath } from './safe-path';

it.each([
  ['/approvals?item=apr_1', '/approvals?item=apr_1'],
  ['/', '/'],
  ['//evil.test', '/'],
  ['/\\evil.test', '/'],
  ['https://evil.test', '/'],
  ['/a\nb', '/'],
  ['approvals', '/'],
  ['', '/'],
  [null, '/'],
  [undefined, '/'],
])('after signing in %j leads to %j', (next, path) => {
  expect(safePath(next)).toBe(path);
});
