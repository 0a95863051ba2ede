import { describe, expect, it } from 'vitest';

import { steadyList } from './steady-list';

const item = (id: string, value = 0) => ({ id, value });

describe('a steady list', () => {
  it('keeps order and length while the newest reading moves, and takes over its values', () => {
    const { rows } = steadyList([item('a'), item('b')], [item('c'), item('b', 2), item('a', 1)]);
    expect(rows).toEqual([{ item: item('a', 1), gone: false }, { item: item('b', 2), gone: false }]);
  });

  it('leaves what has gone in its place and says so', () => {
    const { rows, arrived } = steadyList([item('a'), item('b'), item('c')], [item('a'), item('c')]);
    expect(rows.map(({ item: { id }, gone }) => `${id}${gone ? ' gone' : ''}`)).toEqual(['a', 'b gone', 'c']);
    expect(arrived).toBe(0);
  });

  it('counts what waits behind the button', () => {
    expect(steadyList([item('a')], [item('x'), item('a'), item('y')]).arrived).toBe(2);
  });
});
