import { format } from 'node:util';
import { afterEach, beforeEach } from 'vitest';

const original = console.error;
let seen: string[] = [];

/** React, Next and libraries report misuse through console.error; a test during which that happens fails, even if its assertions hold. */
beforeEach(() => {
  seen = [];
  console.error = (...values: unknown[]) => {
    seen.push(format(...values));
  };
});

afterEach(() => {
  console.error = original;
  if (seen.length > 0) throw new Error(`console.error was called during the test:\n${seen.join('\n')}`);
});
