/**
 * The forms under which a value is found again. Keys start with a letter that says which form they are, so that a
 * number never meets a word: `w` words and addresses, `n` numbers, `d` dates, `t` times of day, `c` digits and letters
 * that are written in groups (accounts, cards, phones), `f` short values of one field.
 */
export const shortestFreeValue = 4;

const dividers = new Set([..." \t\n\r\v\f\"'`<>()[]{}|;*\u00a0\u2028\u2029\u3000、。「」"].map((character) => character.charCodeAt(0)));
const trimStart = new Set([...':!?\u2026'].map((character) => character.charCodeAt(0)));
const trimEnd = new Set([...'.:!?\u2026/-'].map((character) => character.charCodeAt(0)));
const comma = 0x2c;
const apostrophe = 0x27;
const point = 0x2e;
const dash = 0x2d;

/** For the characters that texts are mostly made of. */
const isDivider = Uint8Array.from({ length: 128 }, (_, code) => (dividers.has(code) ? 1 : 0));

/**
 * Words of a plain text (the first so many of them) as people and programs divide them; addresses, paths and numbers stay whole. Every text of
 * every call passes here, so it goes by character codes.
 */
export function chunksOf(plain: string, most = Number.POSITIVE_INFINITY): readonly string[] {
  const chunks: string[] = [];
  let start = 0;
  for (let i = 0; i <= plain.length && chunks.length < most; i++) {
    const code = plain.charCodeAt(i);
    // What separates thousands inside a number does not divide.
    const divides = i === plain.length || (code === comma || code === apostrophe ? !(isDigit(plain.charCodeAt(i - 1)) && isDigit(plain.charCodeAt(i + 1))) : code < 128 ? isDivider[code] === 1 : dividers.has(code));
    if (!divides) continue;
    if (i > start) {
      const chunk = trimmed(plain, start, i);
      if (chunk !== '') chunks.push(chunk);
    }
    start = i + 1;
  }
  return chunks;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Points and dashes in front stay (`.env`, `--force`) unless there is nothing else. */
function trimmed(text: string, start: number, end: number): string {
  while (start < end && trimStart.has(text.charCodeAt(start))) start++;
  while (end > start && trimEnd.has(text.charCodeAt(end - 1))) end--;
  const rest = text.slice(start, end);
  const first = rest.charCodeAt(0);
  return (first === point || first === dash) && /^[.-]*$/.test(rest) ? '' : rest;
}

/** Parts of a chunk that may be a value of their own: `recipient:GB29…`, `id=13`, `mailto:a@b.example`. */
export function partsOf(chunk: string): readonly string[] {
  if (!/[:=#/,&?]/.test(chunk)) return [];
  const parts = chunk.split(/[:=#,&?]+|(?<=^|[^/])\/(?=[^/])/).map((part) => trimmed(part, 0, part.length));
  const withoutScheme = /^[a-z][a-z0-9+.-]*:\/\/(.+)$/.exec(chunk)?.[1];
  return [...parts, ...(withoutScheme === undefined ? [] : [trimmed(withoutScheme, 0, withoutScheme.length)])].filter((part) => part.length >= shortestFreeValue && part !== chunk);
}

const currency = '[$€£¥₹₩₽₪₫฿]|usd|eur|gbp|jpy|chf|inr|cad|aud|cny|krw|sek|nok|dkk|pln|brl|mxn';
const aroundNumbers = new RegExp(`^(?:${currency})\\s?|\\s?(?:${currency}|%|円|元)$|[.,]-{1,2}$`, 'gi');

/**
 * `1,204.50`, `$1204.5`, `1 204,50`, `1'204.50`, `1.204,50` and `1204.50` are `1204.5`; `12,34,567` and `1.234.567` are `1234567`.
 * Undefined for what is no number, and for what people of two countries would read as two numbers only the point's reading counts.
 */
export function numberForm(text: string): string | undefined {
  if (text.length > 40 || !/[0-9]/.test(text) || /[a-z]{4}/i.test(text)) return undefined;
  const bare = text.trim().replace(aroundNumbers, '').replace(/^\+/, '');
  if (!/^-?[0-9][0-9.,'_ ]*$/.test(bare)) return undefined;
  const plain = withoutSeparators(bare);
  if (!/^-?[0-9]+(?:\.[0-9]+)?$/.test(plain)) return undefined;
  const [whole = '', fraction = ''] = plain.split('.');
  const digits = whole.replace(/^(-?)0+(?=[0-9])/, '$1');
  const rest = fraction.replace(/0+$/, '');
  return rest === '' ? digits : `${digits}.${rest}`;
}

function withoutSeparators(bare: string): string {
  // A comma before the last one or two digits is a decimal comma.
  if (/^-?[0-9]{1,3}(?:[. _'][0-9]{3})*,[0-9]{1,2}$/.test(bare)) return bare.replace(/[. _']/g, '').replace(',', '.');
  if (/^-?[0-9]{1,3}(?:([,'_ ])[0-9]{3})(?:\1[0-9]{3})*(?:\.[0-9]+)?$/.test(bare)) return bare.replace(/[,'_ ]/g, '');
  // Lakhs and crores; and several points, which can only separate thousands.
  if (/^-?[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?$/.test(bare)) return bare.replaceAll(',', '');
  if (/^-?[0-9]{1,3}(?:\.[0-9]{3}){2,}$/.test(bare)) return bare.replaceAll('.', '');
  return bare;
}

/** Amounts that are written with blanks: `1 204,50`, `€ 12 000`, `12 000 EUR`. Without decimals or currency two numbers may just stand side by side. */
export function spacedNumbersIn(plain: string): readonly string[] {
  const found: string[] = [];
  for (const match of plain.matchAll(spacedNumber)) {
    const [, before, digits = '', decimals, after] = match;
    if (before === undefined && decimals === undefined && after === undefined) continue;
    const form = numberForm(`${digits}${decimals ?? ''}`);
    if (form !== undefined) found.push(form);
  }
  return found;
}
const spacedNumber = new RegExp(`(?:(${currency}) ?)?(?<![0-9.,])([0-9]{1,3}(?: [0-9]{3})+)([.,][0-9]{1,2})?(?![0-9.,][0-9]| [0-9]{3}(?![0-9]))(?: ?(${currency}|円|元)(?![a-z]))?`, 'g');

/** Runs such as `GB82 WEST 1234 5698 7654 32` or `4111-1111-1111-1111`, without their blanks and dashes. */
export function groupedIn(plain: string): readonly string[] {
  const found: string[] = [];
  for (const match of plain.matchAll(/(?<![a-z0-9])\+?(?:[a-z]{1,4}[0-9]{2,4}|[0-9]{2,6})(?:[ .-][a-z0-9]{2,5}){1,9}(?![a-z0-9])/g)) {
    const groups = match[0].split(/[ .-]/);
    // A neighbouring word may have been drawn into the run: every stretch that is mostly digits counts.
    for (let from = 0; from < groups.length; from++) {
      for (let to = from + 2; to <= groups.length; to++) {
        const joined = groups.slice(from, to).join('').replace('+', '');
        if (joined.length >= 8 && joined.replace(/[^0-9]/g, '').length * 2 > joined.length) found.push(joined);
      }
    }
  }
  return found;
}

/** The same without blanks and dashes for a value that is one such run. */
export function groupedForm(text: string): string | undefined {
  if (text.length < 8 || text.length > 60 || !/[0-9]{2}/.test(text)) return undefined;
  const joined = text.toLowerCase().replace(/[ .+-]/g, '');
  return /^[a-z0-9]{8,40}$/.test(joined) && joined.replace(/[^0-9]/g, '').length * 2 > joined.length ? joined : undefined;
}

/** `name: value` and `"name": value` pairs, for values too short to be found anywhere else. */
export function shortFieldsIn(text: string): readonly (readonly [field: string, value: string])[] {
  const found: (readonly [string, string])[] = [];
  for (const match of text.matchAll(/([A-Za-z_][\w-]{0,40})["']?\s{0,3}[:=]\s{0,3}["']?([^\s"',;{}[\]]{1,3})(?=["',;}\]\s]|$)/g)) {
    found.push([fieldName(match[1] ?? ''), (match[2] ?? '').toLowerCase()]);
  }
  return found;
}

/** `event_id`, `eventId` and `id_` by one name. */
export const fieldName = (name: string): string =>
  name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
