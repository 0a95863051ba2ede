import { expect, it } from 'vitest';
import { patchLines } from '@/components/ui/patch-lines';

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

it('numbers lines as in the new text and gives removed ones no number', () => {
  const [hunk] = patchLines('a\nb\nc\n', 'a\nx\ny\nc\n');
  expect(hunk?.lines).toEqual([
    { kind: 'kept', text: 'a', at: 1 },
    { kind: 'removed', text: 'b', at: null },
    { kind: 'added', text: 'x', at: 2 },
    { kind: 'added', text: 'y', at: 3 },
    { kind: 'kept', text: 'c', at: 4 },
  ]);
});

it('keeps distant changes in hunks of their own, each with where it begins', () => {
  const before = lines(1, 60);
  const after = [...before];
  after[4] = 'five';
  after[49] = 'fifty';
  expect(patchLines(before.join('\n'), after.join('\n')).map((hunk) => hunk.from)).toEqual([2, 47]);
});

it('finds nothing where nothing changed', () => {
  expect(patchLines('a\nb', 'a\nb')).toEqual([]);
});
