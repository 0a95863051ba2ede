import { skeleton } from '@/lib/mediate/look-alike';
import { fromBase64, fromHex } from '@/lib/shared/encoding';

import { decodedForms } from './decoded-forms';

const mostChunks = 40;
const longestChunk = 16_384;

/** The text as a reader takes it in: one form for letters of every width, nothing invisible, single blanks, lower case. */
export const plainReading = (text: string): string => text.normalize('NFKC').replace(invisible, '').replace(/[^\S\n]+/g, ' ').toLowerCase();

const invisible = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]/g;

/**
 * What else the text says to a reader who decodes: escapes and folded lines of JSON and YAML, entities, percent signs, marks between letters,
 * imitated letters, tag characters, and stretches of base64 or hexadecimal. In the plain form; bounded.
 */
export function hiddenReadings(text: string): readonly string[] {
  const plain = plainReading(text);
  const found = new Set<string>();
  const add = (reading: string): void => {
    const one = plainReading(reading);
    if (one !== plain && one.trim() !== '') found.add(one);
  };
  if (text.includes('\\')) add(unescaped(around(text, /\\/g)));
  if (text.includes('&')) add(withoutEntities(around(text, /&[#a-z]/gi)));
  if (/%[0-9a-f]{2}/i.test(text)) for (const form of decodedForms(around(text, /%[0-9a-f]{2}/gi)).slice(1)) add(form);
  const spelt = text.replace(/(?<![\p{L}\p{N}])(?:\p{L}[*_~`|.\u00b7 -]){4,64}\p{L}(?![\p{L}\p{N}])/gu, (run) => run.replace(/[*_~`|.\u00b7 -]/g, ''));
  if (spelt !== text) add(spelt);
  if (/[\u0370-\u03ff\u0400-\u052f\u0530-\u058f]/.test(text) && /[a-z]/i.test(text)) add(latinised(text));
  if (/[\u{e0020}-\u{e007e}]/u.test(text)) add(text.replace(/[\u{e0020}-\u{e007e}]/gu, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)));
  for (const decoded of decodedChunks(text)) add(decoded);
  return [...found];
}

/** The surroundings of what has to be decoded: the rest is read as it stands anyway. */
function around(text: string, pattern: RegExp): string {
  let found = '';
  let start = -1;
  let end = -1;
  for (const { index } of text.matchAll(pattern)) {
    if (end < 0 || index - reach > end) {
      if (end >= 0) found += `${text.slice(start, end)}\n`;
      start = Math.max(0, index - reach);
    }
    end = Math.min(text.length, index + reach);
  }
  return end < 0 ? '' : found + text.slice(start, end);
}

const reach = 300;

function unescaped(text: string): string {
  return text
    .replace(/\\\r?\n[ \t]*(?:\\(?= ))?/g, '')
    .replace(/\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})/gi, (whole, long: string | undefined, short: string | undefined) => {
      const code = Number.parseInt(long ?? short ?? '', 16);
      return code > 0x10ffff ? whole : String.fromCodePoint(code);
    })
    .replace(/\\[nrt]/g, '\n')
    .replace(/\\(["'\\/ ])/g, '$1');
}

const entities: ReadonlyMap<string, string> = new Map([['amp', '&'], ['lt', '<'], ['gt', '>'], ['quot', '"'], ['apos', "'"], ['nbsp', ' ']]);

function withoutEntities(text: string): string {
  return text.replace(/&(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
    if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

/** Only words that mix alphabets are imitated; Russian and Greek stay what they are. The skeleton confuses i and l, so only the letters count. */
function latinised(text: string): string {
  return text.replace(/[\p{L}\p{M}]+/gu, (word) => (/[a-z]/i.test(word) && /[\u0370-\u058f]/.test(word) ? [...word].map((letter) => (/[a-z]/i.test(letter) ? letter : skeletonOf(letter))).join('') : word));
}

/** `i` is folded into `l` by the skeleton; an imitated i is an i here. */
const skeletonOf = (letter: string): string => (/[іїıι]/i.test(letter) ? 'i' : skeleton(letter));

function decodedChunks(text: string): readonly string[] {
  const decoded: string[] = [];
  let left = mostChunks;
  for (const match of text.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}/g)) {
    if (left-- <= 0) break;
    const chunk = match[0].slice(0, longestChunk);
    const bytes = /^(?:[0-9a-f]{2})+$/i.test(chunk) ? fromHex(chunk.toLowerCase()) : fromBase64(wholeGroups(chunk));
    const said = bytes && textOf(bytes);
    if (said !== undefined) decoded.push(said);
  }
  return decoded;
}

/** Whole groups only: what is cut off at the end are two letters at most. */
const wholeGroups = (chunk: string): string => {
  const body = chunk.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return body.slice(0, body.length - (body.length % 4));
};

/** Undefined: bytes, not a text. */
function textOf(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  const odd = text.match(/[\ufffd\0-\x08\x0e-\x1f]/g)?.length ?? 0;
  return odd * 20 <= text.length && /\s/.test(text) ? text : undefined;
}
