import { describe, expect, it } from 'vitest';
import { ringArcs } from '@/components/ui/ring-arcs';

describe('the ring', () => {
  it('has one arc for each signature of the quorum', () => {
    for (const of of [1, 2, 3, 5, 12]) expect(ringArcs(0, of)).toHaveLength(of);
  });

  it('marks as many arcs as have signed, in order', () => {
    expect(ringArcs(2, 3).map((arc) => arc.signed)).toEqual([true, true, false]);
    expect(ringArcs(0, 1).map((arc) => arc.signed)).toEqual([false]);
    expect(ringArcs(1, 1).map((arc) => arc.signed)).toEqual([true]);
  });

  it('never shows more than the quorum', () => {
    expect(ringArcs(5, 2).map((arc) => arc.signed)).toEqual([true, true]);
  });

  it('starts at the top and runs clockwise, with a gap between two arcs', () => {
    expect(ringArcs(1, 2)[0]?.d).toBe('M9 2.08A6 6 0 0 1 9 13.92');
    expect(ringArcs(1, 2)[1]?.d).toBe('M7 13.92A6 6 0 0 1 7 2.08');
  });

  it('is drawn apart for every quorum: no arc ends where the next begins', () => {
    const ends = ringArcs(0, 24).map((arc) => arc.d.split(' ').slice(-2).join(' '));
    const starts = ringArcs(0, 24).map((arc) => arc.d.slice(1).split('A')[0]);
    expect(ends.filter((end) => starts.includes(end))).toEqual([]);
  });

  it.each([0, -1, 1.5])('refuses a quorum of %s', (of) => {
    expect(() => ringArcs(0, of)).toThrow(RangeError);
  });
});
