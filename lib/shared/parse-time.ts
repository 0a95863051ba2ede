/**
 * What `Date.parse` gives, several times faster for the one spelling that this product writes (`2026-01-31T09:05:00.000Z`): every
 * decision that counts reads the times of two hundred actions. Milliseconds since 1970; NaN for what is no time.
 */
export function parseTime(text: string): number {
  if (text.length !== 24 || !isPunctuated(text)) return Date.parse(text);
  const year = numberAt(text, 0, 4);
  const month = numberAt(text, 5, 7);
  const day = numberAt(text, 8, 10);
  const hour = numberAt(text, 11, 13);
  const minute = numberAt(text, 14, 16);
  const second = numberAt(text, 17, 19);
  const thousandths = numberAt(text, 20, 23);
  const usual = year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59 && thousandths >= 0;
  return usual ? (((daysBefore(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + thousandths : Date.parse(text);
}

/** Days from 1970-01-01 to a day of the Gregorian calendar; years are counted from March, so that the leap day is their last. */
function daysBefore(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return marchYear * 365 + Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400) + dayOfYear - 719_468;
}

const [dash, letterT, colon, dot, letterZ] = [0x2d, 0x54, 0x3a, 0x2e, 0x5a];

const isPunctuated = (text: string): boolean =>
  text.charCodeAt(4) === dash && text.charCodeAt(7) === dash && text.charCodeAt(10) === letterT && text.charCodeAt(13) === colon &&
  text.charCodeAt(16) === colon && text.charCodeAt(19) === dot && text.charCodeAt(23) === letterZ;

/** The digits as a number; −1 when something else stands among them. */
function numberAt(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
