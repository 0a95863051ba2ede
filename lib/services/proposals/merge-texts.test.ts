import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { mergeTexts } from './merge-texts';

const base = 'a\nb\nc\nd\ne\nf\n';

describe('a proposal that is rebased', () => {
  it('keeps its own change and the one that came into force', () => {
    expect(mergeTexts(base, base.replace('b\n', 'B\n'), base.replace('e\n', 'E\n'))).toEqual({ text: 'a\nB\nc\nd\nE\nf\n', conflicts: [] });
  });

  it('takes lines added at different places, and lines taken away', () => {
    expect(mergeTexts(base, `new\n${base}`, base.replace('f\n', ''))).toEqual({ text: 'new\na\nb\nc\nd\ne\n', conflicts: [] });
  });

  it('takes a change that both make once', () => {
    expect(mergeTexts(base, base.replace('c\n', 'C\n'), base.replace('c\n', 'C\n')).text).toBe('a\nb\nC\nd\ne\nf\n');
  });

  it('conflicts where both change the same line, and says both', () => {
    expect(mergeTexts(base, base.replace('c\n', 'X\n'), base.replace('c\n', 'Y\n'))).toEqual({
      text: 'a\nb\nX\nd\ne\nf\n', conflicts: [{ from_line: 3, in_force: 'X\n', proposed: 'Y\n' }],
    });
  });

  it('conflicts where one takes away what the other changes, and where both add at one place', () => {
    expect(mergeTexts(base, base.replace('c\nd\n', ''), base.replace('d\n', 'D\n')).conflicts).toHaveLength(1);
    expect(mergeTexts(base, `${base}x\n`, `${base}y\n`).conflicts).toEqual([{ from_line: 7, in_force: 'x\n', proposed: 'y\n' }]);
  });

  it('keeps a text without a last line end as it is', () => {
    expect(mergeTexts('a\nb', 'a\nb', 'A\nb').text).toBe('A\nb');
  });

  it('answers for texts that differ in tens of thousands of lines, and merges them with no other change', () => {
    const long = Array.from({ length: 3000 }, (_, at) => `line ${String(at)}\n`).join('');
    const other = Array.from({ length: 30_000 }, (_, at) => `# ${String(at % 7)}\n`).join('');
    const began = performance.now();
    expect(mergeTexts(long, long, other)).toEqual({ text: other, conflicts: [] });
    expect(mergeTexts(long, long.replace('line 2000', 'two thousand'), other).conflicts).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 12 }).map((lines) => lines.join(''));
  it('whatever the texts: one side’s changes alone give that side', () => {
    fc.assert(fc.property(text, text, (from, to) => {
      expect(mergeTexts(from, from, to)).toEqual({ text: to, conflicts: [] });
      expect(mergeTexts(from, to, from)).toEqual({ text: to, conflicts: [] });
      expect(mergeTexts(from, to, to)).toEqual({ text: to, conflicts: [] });
    }));
  });

  it('whatever the texts: which side is which does not matter where nothing conflicts', () => {
    fc.assert(fc.property(text, text, text, (from, one, other) => {
      const there = mergeTexts(from, one, other);
      const back = mergeTexts(from, other, one);
      expect(back.conflicts).toHaveLength(there.conflicts.length);
      if (there.conflicts.length === 0) expect(back.text).toBe(there.text);
    }));
  });
});
