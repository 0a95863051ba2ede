/** Why a character is shown as its code point instead of being drawn. */
export type EscapeReason = 'control' | 'bidi' | 'invisible' | 'space' | 'mark' | 'lookalike' | 'symbol' | 'private';

type Range = readonly [from: number, to: number, reason: EscapeReason];

/**
 * Characters that are never drawn in text nobody vouched for, in ascending order. Fixed ranges for the same reason as the look-alikes: the
 * view is signed, so it may not depend on a runtime's Unicode version.
 *
 * `control` has no glyph; `bidi` reorders what stands around it; `invisible` has no width; `space` looks like U+0020 and isn't, so that two
 * different values could look equal; `mark` draws over its neighbour; `lookalike` is a compatibility form of an ASCII character or is drawn
 * like one wherever it stands; `symbol` could draw a tick, a seal or an emoji that looks like part of the console; `private` has no agreed meaning.
 */
const ranges: readonly Range[] = [
  [0x0000, 0x0009, 'control'], [0x000b, 0x001f, 'control'], [0x007f, 0x009f, 'control'], [0x00a0, 0x00a0, 'space'], [0x00ad, 0x00ad, 'invisible'],
  [0x01c0, 0x01c3, 'lookalike'], [0x02b0, 0x02ff, 'lookalike'], [0x0300, 0x036f, 'mark'], [0x037e, 0x037e, 'lookalike'], [0x0387, 0x0387, 'lookalike'], [0x0483, 0x0489, 'mark'],
  [0x0589, 0x0589, 'lookalike'], [0x05c0, 0x05c0, 'lookalike'], [0x05c3, 0x05c3, 'lookalike'], [0x061c, 0x061c, 'bidi'], [0x06d4, 0x06d4, 'lookalike'], [0x0701, 0x0704, 'lookalike'],
  [0x115f, 0x1160, 'invisible'], [0x1680, 0x1680, 'space'], [0x17b4, 0x17b5, 'invisible'], [0x180b, 0x180f, 'invisible'], [0x1ab0, 0x1aff, 'mark'], [0x1dc0, 0x1dff, 'mark'],
  [0x2000, 0x200a, 'space'], [0x200b, 0x200d, 'invisible'], [0x200e, 0x200f, 'bidi'], [0x2010, 0x2012, 'lookalike'], [0x2024, 0x2025, 'lookalike'], [0x2028, 0x2029, 'control'],
  [0x202a, 0x202e, 'bidi'], [0x202f, 0x202f, 'space'], [0x2032, 0x2037, 'lookalike'], [0x2044, 0x2044, 'lookalike'], [0x204f, 0x204f, 'lookalike'], [0x205f, 0x205f, 'space'], [0x2060, 0x2065, 'invisible'],
  [0x2066, 0x2069, 'bidi'], [0x206a, 0x206f, 'invisible'], [0x2070, 0x209f, 'lookalike'], [0x20d0, 0x20ff, 'mark'], [0x2100, 0x214f, 'lookalike'], [0x2150, 0x218f, 'lookalike'],
  [0x2212, 0x2212, 'lookalike'], [0x2215, 0x2217, 'lookalike'], [0x2223, 0x2223, 'lookalike'], [0x2236, 0x2236, 'lookalike'], [0x223c, 0x223c, 'lookalike'], [0x2300, 0x23ff, 'symbol'],
  [0x2400, 0x245f, 'symbol'], [0x2460, 0x24ff, 'lookalike'], [0x25a0, 0x25ff, 'symbol'], [0x2600, 0x27bf, 'symbol'], [0x27cb, 0x27cd, 'lookalike'], [0x2800, 0x2800, 'invisible'], [0x29f5, 0x29f9, 'lookalike'],
  [0x2b00, 0x2bff, 'symbol'], [0x3000, 0x3000, 'space'], [0x3164, 0x3164, 'invisible'], [0x3200, 0x33ff, 'symbol'], [0xa4f8, 0xa4fd, 'lookalike'], [0xa789, 0xa78a, 'lookalike'],
  [0xd800, 0xdfff, 'control'], [0xe000, 0xf8ff, 'private'], [0xfb00, 0xfb06, 'lookalike'], [0xfdd0, 0xfdef, 'private'], [0xfe00, 0xfe0f, 'invisible'], [0xfe10, 0xfe19, 'lookalike'], [0xfe20, 0xfe2f, 'mark'],
  [0xfe30, 0xfe6f, 'lookalike'], [0xfeff, 0xfeff, 'invisible'], [0xff01, 0xff5e, 'lookalike'], [0xffa0, 0xffa0, 'invisible'], [0xffe0, 0xffee, 'lookalike'], [0xfff0, 0xffff, 'control'],
  [0x1bca0, 0x1bca3, 'invisible'], [0x1d173, 0x1d17a, 'invisible'], [0x1d400, 0x1d7ff, 'lookalike'], [0x1f000, 0x1f0ff, 'symbol'], [0x1f100, 0x1f1ff, 'lookalike'], [0x1f200, 0x1faff, 'symbol'],
  [0x1fb00, 0x1fbff, 'symbol'], [0xe0000, 0xe0fff, 'invisible'], [0xf0000, 0x10ffff, 'private'],
];

/** Why this character must not be drawn wherever it stands, or null when it may be. U+000A may: it ends a line. */
export function escapeReason(codePoint: number): EscapeReason | null {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return null;
    if (codePoint < range[0]) high = middle - 1;
    else if (codePoint > range[1]) low = middle + 1;
    else return range[2];
  }
  return null;
}
