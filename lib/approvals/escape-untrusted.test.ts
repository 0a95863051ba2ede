import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointLabel, countEscapes, escapeUntrusted, type Segment } from '@/lib/approvals/escape-untrusted';

function labels(text: string): readonly string[] {
  return escapeUntrusted(text).flatMap((segment) => (segment.kind === 'escape' ? [segment.label] : []));
}

function rebuilt(segments: readonly Segment[]): string {
  return segments.map((segment) => (segment.kind === 'text' ? segment.text : String.fromCodePoint(segment.codePoint))).join('');
}

describe('what is shown as a code point', () => {
  const cases: readonly [what: string, text: string, expected: readonly string[]][] = [
    ['a right-to-left override', 'approved \u202Eton', ['U+202E']],
    ['isolates and marks that reorder', 'a\u2066b\u2069c\u200Fd\u061Ce', ['U+2066', 'U+2069', 'U+200F', 'U+061C']],
    ['a zero-width space inside a word', 'ro\u200Bot', ['U+200B']],
    ['a byte order mark and a soft hyphen', '\uFEFFa\u00ADb', ['U+FEFF', 'U+00AD']],
    ['tag characters, which carry hidden instructions', 'ok\u{E0041}\u{E0042}', ['U+E0041', 'U+E0042']],
    ['variation selectors, which carry hidden bytes', 'a\uFE01b\u{E0101}', ['U+FE01', 'U+E0101']],
    ['terminal control and NUL', 'a\u001B[31m\u0000', ['U+001B', 'U+0000']],
    ['a carriage return and a tab', 'a\r\tb', ['U+000D', 'U+0009']],
    ['a no-break and an ideographic space', 'a\u00A0b\u3000c', ['U+00A0', 'U+3000']],
    ['a line separator', 'a\u2028b', ['U+2028']],
    ['a combining mark that strikes its neighbour out', 'not\u0336', ['U+0336']],
    ['a Cyrillic a in a Latin word', 'p\u0430ypal.com', ['U+0430']],
    ['a word that is Cyrillic throughout and reads as Latin', '\u0430\u0440\u0440\u04CF\u0435', ['U+0430', 'U+0440', 'U+0440', 'U+04CF', 'U+0435']],
    ['a Greek question mark for a semicolon', 'a\u037E', ['U+037E']],
    ['a division slash in a path', '/srv\u2215data', ['U+2215']],
    ['full-width and mathematical letters', '\uFF41\u{1D41A}', ['U+FF41', 'U+1D41A']],
    ['a tick and an emoji, which could pass for the console', '\u2705 \u2713 \u{1F512}', ['U+2705', 'U+2713', 'U+1F512']],
    ['a lone surrogate', 'a\uD800b', ['U+D800']],
    ['a look-alike split from its word by an invisible character', '\u0430\u200Bdmin', ['U+0430', 'U+200B']],
  ];
  it.each(cases)('%s', (_what, text, expected) => {
    expect(labels(text)).toEqual(expected);
  });
});

describe('what stays readable', () => {
  const cases: readonly [what: string, text: string][] = [
    ['printable ASCII and line ends', 'DELETE FROM t\nWHERE a = \'x\' -- "y" $(z) `w` <b>'],
    ['a Russian sentence', 'Удалите, пожалуйста, старые записи'],
    ['German, French and Czech', 'Größe, déjà vu, příliš žluťoučký'],
    ['Greek', 'Παρακαλώ διαγράψτε'],
    ['Chinese, Japanese and Korean', '请删除 テスト 데이터'],
    ['curly quotes and dashes', '\u201Cquoted\u201D \u2013 and \u2014'],
  ];
  it.each(cases)('%s', (_what, text) => {
    expect(escapeUntrusted(text)).toEqual([{ kind: 'text', text }]);
  });
});

describe('every view of a value', () => {
  it('keeps every character in stored order, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      expect(rebuilt(escapeUntrusted(text))).toBe(text);
    }));
  });

  it('never draws a character that hides, reorders or controls', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      for (const segment of escapeUntrusted(text)) {
        if (segment.kind === 'text') expect(segment.text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u00A0\u00AD\u061C\u200B-\u200F\u2028-\u202F\u2060-\u206F\uFEFF\uFE00-\uFE0F\p{Cs}\p{Co}]|\p{Cf}(?<![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}\u{13430}-\u{1343F}])/u);
      }
    }));
  });

  it('never clips: a value of a hundred thousand characters is shown to its last one', () => {
    const text = `${'x'.repeat(100_000)}\u202E; rm -rf /`;
    const segments = escapeUntrusted(text);
    expect(rebuilt(segments)).toBe(text);
    expect(countEscapes(segments)).toBe(1);
    expect(segments.at(-1)).toEqual({ kind: 'text', text: '; rm -rf /' });
  });

  it('joins what may be drawn into one piece between two escapes', () => {
    expect(escapeUntrusted('ab cd\u200Bef')).toEqual([
      { kind: 'text', text: 'ab cd' },
      { kind: 'escape', codePoint: 0x200b, label: 'U+200B', reason: 'invisible' },
      { kind: 'text', text: 'ef' },
    ]);
  });

  it('is empty for an empty value', () => {
    expect(escapeUntrusted('')).toEqual([]);
  });

  it('writes code points with four digits or more', () => {
    expect(codePointLabel(0x9)).toBe('U+0009');
    expect(codePointLabel(0xe0041)).toBe('U+E0041');
  });
});
