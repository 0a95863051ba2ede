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

it('shows a text that an agent made different in tens of thousands of lines at once, as replaced', () => {
  const before = ['schema: one', ...lines(1, 3000), 'end'];
  const after = ['schema: one', ...Array.from({ length: 30_000 }, (_, at) => `# ${String(at % 7)}`), 'end'];
  const began = performance.now();
  const hunks = patchLines(before.join('\n'), after.join('\n'));
  expect(performance.now() - began).toBeLessThan(3000);
  expect(hunks).toHaveLength(1);
  expect(hunks[0]?.from).toBe(2);
  expect(hunks[0]?.lines.filter(({ kind }) => kind === 'removed').map(({ text }) => text)).toEqual(before.slice(1, -1));
  expect(hunks[0]?.lines.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual(after.slice(1, -1));
  expect(hunks[0]?.lines.at(-1)?.at).toBe(30_001);
});
