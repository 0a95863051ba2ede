import { expect, it } from 'vitest';

import { withoutComments } from './without-comments';

it.each([
  ['a line of its own', 'a: 1\n  # Said.\nb: 2\n', 'a: 1\n  \nb: 2\n'],
  ['after a value', 'a: 1 # Said.\nb: [x, "#y"] # z\n', 'a: 1 \nb: [x, "#y"] \n'],
  ['after a block’s header', 'a: | # Said.\n  text\n', 'a: | \n  text\n'],
])('a comment goes: %s', (_what, text, without) => {
  expect(withoutComments(text)).toBe(without);
});

it.each(['a: "x # y"\n', "a: 'x\n  # y'\n", 'a: |\n  # y\n  z\n', 'a: x#y\n', 'a: >-\n  #y\n', 'a: http://x/#y\n', '{"a": "# b"}'])('what only looks like one stays: %j', (text) => {
  expect(withoutComments(text)).toBe(text);
});
