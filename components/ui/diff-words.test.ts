import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffWords, plainLines, type DiffLine } from '@/components/ui/diff-words';

function written(lines: readonly DiffLine[]): string {
  return lines.map((line) => line.map(({ segment }) => (segment.kind === 'text' ? segment.text : String.fromCodePoint(segment.codePoint))).join('')).join('\n');
}

function changed(lines: readonly DiffLine[]): string {
  return lines.map((line) => line.filter((piece) => piece.changed).map(({ segment }) => (segment.kind === 'text' ? segment.text : segment.label)).join('')).filter((text) => text !== '').join(' | ');
}

describe('a and a′ word by word', () => {
  it('marks what policy narrowed on both sides', () => {
    const diff = diffWords('DELETE FROM t\nLIMIT 5000', "DELETE FROM t\n  AND team = 'growth'\nLIMIT 1500");
    expect(changed(diff.before)).toBe('5000');
    expect(changed(diff.after)).toContain("AND team = 'growth'");
    expect(changed(diff.after)).toContain('1500');
  });

  it('marks nothing when nothing changed', () => {
    const diff = diffWords('a b\nc', 'a b\nc');
    expect(changed(diff.before) + changed(diff.after)).toBe('');
  });

  it('marks the whole number or identifier, not a digit of it', () => {
    expect(changed(diffWords('limit 1500', 'limit 1503').after)).toBe('1503');
  });

  it('shows a difference that only a hidden character makes', () => {
    const diff = diffWords('to: a\u200Bb', 'to: ab');
    expect(changed(diff.before)).toContain('U+200B');
  });

  it('shows a difference that only a look-alike makes', () => {
    expect(changed(diffWords('p\u0430y', 'pay').before)).toContain('U+0430');
  });

  it('keeps both texts whole, whatever they are', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 120 }), fc.string({ unit: 'binary', maxLength: 120 }), (before, after) => {
      const diff = diffWords(before, after);
      expect(written(diff.before)).toBe(before);
      expect(written(diff.after)).toBe(after);
      expect(written(plainLines(before))).toBe(before);
    }));
  });

  it('never clips a long value', () => {
    const long = `SELECT ${'x'.repeat(50_000)} ; DROP TABLE t`;
    expect(written(diffWords(long, 'SELECT 1').before)).toBe(long);
  });
});
