import { describe, expect, it } from 'vitest';

import { exportRoom } from './export-room';

/** Receipts of 800 bytes, which take 1000 each. */
function taking(receipts: number, most: number, of = receipts) {
  const room = exportRoom(100, most);
  for (let at = 1; at <= receipts; at++) {
    const full = room.take(800);
    if (full) return full;
    room.reached(100 + at);
  }
  return room.foresee(of);
}
const fixOf = (refused: ReturnType<typeof taking>): string => (refused && !refused.ok ? `${refused.error.code}: ${refused.error.fix ?? ''}` : 'taken');

describe('the room of an export', () => {
  it('takes what fits', () => {
    expect(fixOf(taking(50, 50_000))).toBe('taken');
  });

  it('ends at the first byte too many, with half of what was reached as a range that fits', () => {
    expect(fixOf(taking(60, 50_000))).toMatch(/^too_large: .*--from 100 --to 124, then --from 124/);
  });

  it('foresees after a few receipts that millions of them will not fit', () => {
    expect(fixOf(taking(10, 50_000, 5_000_000))).toMatch(/^too_large: .*--from 100 --to 125, then --from 125/);
    expect(fixOf(taking(10, 50_000, 90))).toBe('taken');
  });

  it('offers one receipt when not even the first fits', () => {
    expect(fixOf(taking(1, 500))).toContain('--to 101');
  });
});
