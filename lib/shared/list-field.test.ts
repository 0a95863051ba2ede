import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { listField } from './list-field';

const list = z.strictObject({ list: listField(z.strictObject({ n: z.number() })) });

describe('a list field', () => {
  it('reads what fits', () => {
    expect(list.parse({ list: [{ n: 1 }, { n: 2 }] })).toEqual({ list: [{ n: 1 }, { n: 2 }] });
  });

  it('names the first item that does not, and no other', () => {
    const read = list.safeParse({ list: [{ n: 1 }, { n: 'x' }, 0, 0] });
    expect(read.error?.issues.map(({ path }) => path)).toEqual([['list', 1, 'n']]);
  });

  it('is of so many items at most', () => {
    expect(listField(z.number(), 2).safeParse([1, 2]).success).toBe(true);
    expect(listField(z.number(), 2).safeParse([1, 2, 'x']).error?.issues.map(({ code }) => code)).toEqual(['too_big']);
  });

  it('is a list', () => {
    expect(list.safeParse({ list: { 0: { n: 1 } } }).success).toBe(false);
  });
});
