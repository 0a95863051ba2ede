// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { useSteadyList } from './use-steady-list';

type Item = { readonly id: string };
type Props = { readonly newest: readonly Item[] | undefined; readonly of: string };

const list = (...ids: string[]): readonly Item[] => ids.map((id) => ({ id }));
const start = (initialProps: Props) => renderHook(({ newest, of }: Props) => useSteadyList(newest, of), { initialProps });
const ids = (rows: readonly { readonly item: Item }[] | null) => rows?.map(({ item }) => item.id) ?? null;

describe('useSteadyList', () => {
  it('shows nothing before the first reading, then that reading', () => {
    const { result, rerender } = start({ newest: undefined, of: 'waiting' });
    expect(result.current.rows).toBeNull();
    rerender({ newest: list('a', 'b'), of: 'waiting' });
    expect(ids(result.current.rows)).toEqual(['a', 'b']);
  });

  it('holds still when something arrives, until the person asks', () => {
    const { result, rerender } = start({ newest: list('a'), of: 'waiting' });
    rerender({ newest: list('n', 'a'), of: 'waiting' });
    expect(ids(result.current.rows)).toEqual(['a']);
    expect(result.current.arrived).toBe(1);
    act(() => result.current.accept());
    expect(ids(result.current.rows)).toEqual(['n', 'a']);
    expect(result.current.arrived).toBe(0);
  });

  it('takes what arrives in an empty list at once', () => {
    const { result, rerender } = start({ newest: [], of: 'waiting' });
    rerender({ newest: list('a'), of: 'waiting' });
    expect(ids(result.current.rows)).toEqual(['a']);
  });

  it('starts anew under another name', () => {
    const { result, rerender } = start({ newest: list('a'), of: 'waiting' });
    rerender({ newest: undefined, of: 'decided' });
    expect(result.current.rows).toBeNull();
    rerender({ newest: list('z'), of: 'decided' });
    expect(ids(result.current.rows)).toEqual(['z']);
  });

  it('takes out what this person decided, and does not count it as new while the reading is old', () => {
    const { result } = start({ newest: list('a', 'b'), of: 'waiting' });
    act(() => result.current.drop('a'));
    expect(ids(result.current.rows)).toEqual(['b']);
    expect(result.current.arrived).toBe(0);
  });
});
