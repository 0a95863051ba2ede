/** Texts longer than this are indexed up to here; the rest was not seen, which is less trust, never more. */
export const longestText = 200_000;

/** Characters that nobody sees: joiners, direction marks, soft hyphens, fillers, variation selectors, tags. */
const invisible = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]|[\u{e0000}-\u{e0fff}]/gu;

/** The zeros of scripts that count with digits of their own; nine more follow each. */
const zeros = [0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0, 0x1810];

/**
 * One spelling for what reads alike: lower case, compatibility forms unified (NFKC), all digits as 0–9, all dashes as `-`. Blanks that
 * do not break inside a number stand for its separator. Raised digits are powers and notes, not further digits of a number. Bounded.
 */
export function plainText(text: string): string {
  const read = text.slice(0, longestText);
  // Most texts need none of it.
  if (/^[\0-\x7f]*$/.test(read)) return read.toLowerCase();
  return read
    .replace(/(?<=(?<![0-9])[0-9]{1,3})[\u00a0\u2007\u2009\u202f](?=[0-9]{3}(?![0-9]))/g, '_')
    .replace(/[\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]/g, (digit) => `^${digit}`)
    .normalize('NFKC')
    .replace(/[\u0660-\u1819]/g, asciiDigit)
    .replace(/[\u2010-\u2015\u2212\ufe58\ufe63]/g, '-')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/\u066b/g, '.')
    .replace(/\u066c/g, ',')
    .toLowerCase();
}

export const hasInvisible = (text: string): boolean => {
  invisible.lastIndex = 0;
  return invisible.test(text);
};

export const withoutInvisible = (text: string): string => text.replace(invisible, '');

function asciiDigit(character: string): string {
  const code = character.charCodeAt(0);
  const zero = zeros.find((one) => code >= one && code <= one + 9);
  return zero === undefined ? character : String(code - zero);
}
