import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

export const lookAlikeVersion = 1;

/**
 * Letters of other scripts, digits and pairs that are read as Latin letters: a small part of Unicode's confusables
 * (UTS #39), those that are found in imitated hosts and addresses.
 */
const confusable: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: 'a', ɑ: 'a', α: 'a', à: 'a', á: 'a', â: 'a', ä: 'a', å: 'a', ã: 'a', Ь: 'b', в: 'b', ь: 'b', с: 'c', ϲ: 'c', ç: 'c', ԁ: 'd', ɗ: 'd', е: 'e', ё: 'e', є: 'e', è: 'e', é: 'e', ê: 'e', ë: 'e',
    ɡ: 'g', ԍ: 'g', һ: 'h', н: 'h', і: 'i', ї: 'i', ı: 'i', ì: 'i', í: 'i', ι: 'i', ј: 'j', к: 'k', κ: 'k', ӏ: 'l', ⅼ: 'l', м: 'm', ո: 'n', п: 'n', ñ: 'n', о: 'o', ο: 'o', օ: 'o', ò: 'o', ó: 'o', ö: 'o', ø: 'o',
    р: 'p', ρ: 'p', ԛ: 'q', г: 'r', ѕ: 's', ś: 's', т: 't', τ: 't', υ: 'u', ü: 'u', ú: 'u', ѵ: 'v', ν: 'v', ԝ: 'w', ш: 'w', х: 'x', χ: 'x', у: 'y', ү: 'y', ý: 'y', ż: 'z', ᴢ: 'z',
    '0': 'o', '1': 'l', '3': 'e', '5': 's', '|': 'l',
  }),
);

export const lookAlikeDigest = (sha256: Sha256): Digest =>
  digestOf(sha256, canonicalBytes({ version: lookAlikeVersion, letters: Object.fromEntries(confusable) }));

/** The text as a hurried reader sees it: one letter for all that look like it. Two names with one skeleton look alike. */
export function skeleton(text: string): string {
  let read = '';
  for (const character of text.normalize('NFKC').toLowerCase()) read += confusable.get(character) ?? character;
  return read.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('cl', 'd').replaceAll('i', 'l');
}

/**
 * True when `host` is not `known` but would be taken for it: same skeleton, one letter more, less or other in a name of
 * six letters or more, the known name as a part (`corp.example.drop.net`, `corp-example.net`), or its name glued to another.
 */
export function looksLike(host: string, known: string): boolean {
  if (host === known || host.endsWith(`.${known}`)) return false;
  const seen = skeleton(readable(host));
  const wanted = skeleton(known);
  if (seen === wanted || seen.endsWith(`.${wanted}`)) return true;
  if (seen.includes(`${wanted}.`) || seen.includes(wanted.replaceAll('.', '-')) || seen.endsWith(wanted)) return true;
  return wanted.length >= 6 && isOneEditAway(seen, wanted);
}

/** Punycode labels as they are shown. */
const readable = (host: string): string => host.split('.').map((label) => (label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label)).join('.');

function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  const restA = a.slice(i);
  const restB = b.slice(i);
  return restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB || (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0]);
}

/** RFC 3492, section 6.2. What cannot be decoded is returned as it is. */
function decodePunycode(encoded: string): string {
  const split = encoded.lastIndexOf('-');
  const output = [...(split > 0 ? encoded.slice(0, split) : '')].map((character) => character.codePointAt(0) ?? 0);
  let n = 128;
  let i = 0;
  let bias = 72;
  for (let at = split > 0 ? split + 1 : 0; at < encoded.length; ) {
    const before = i;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      const digit = digitOf(encoded.charCodeAt(at++));
      if (digit === undefined || i > 1e8) return encoded;
      i += digit * weight;
      const threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adapted(i - before, length, before === 0);
    n += Math.floor(i / length);
    i %= length;
    if (n > 0x10ffff) return encoded;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}

function digitOf(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 22;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return undefined;
}

function adapted(delta: number, length: number, first: boolean): number {
  let value = Math.floor(delta / (first ? 700 : 2));
  value += Math.floor(value / length);
  let k = 0;
  for (; value > 455; k += 36) value = Math.floor(value / 35);
  return k + Math.floor((36 * value) / (value + 38));
}
