/**
 * The forms under which a value is found again. Keys start with a letter that says which form they are, so that a
 * number never meets a word: `w` words and addresses, `n` numbers, `d` dates, `t` times of day, `c` digits and letters
 * that are written in groups (accounts, cards, phones), `f` short values of one field.
 */
export const shortestFreeValue = 4;

/** Texts longer than this are indexed up to here; the rest was not seen, which is less trust, never more. */
export const longestText = 200_000;

/** What every function here that reads texts wants: lower case, compatibility forms unified (NFKC), bounded. */
export const plainText = (text: string): string => text.slice(0, longestText).normalize('NFKC').toLowerCase();

const dividers = new Set([..." \t\n\r\v\f\"'`<>()[]{}|;*\u00a0\u2028\u2029\u3000、。「」"].map((character) => character.charCodeAt(0)));
const trimStart = new Set([...'.:!?\u2026-'].map((character) => character.charCodeAt(0)));
const trimEnd = new Set([...'.:!?\u2026/-'].map((character) => character.charCodeAt(0)));
const comma = 0x2c;

/**
 * Words of a plain text as people and programs divide them; addresses, paths and numbers stay whole. Every text of
 * every call passes here, so it goes by character codes.
 */
export function chunksOf(plain: string): readonly string[] {
  const chunks: string[] = [];
  let start = 0;
  for (let i = 0; i <= plain.length; i++) {
    const code = plain.charCodeAt(i);
    // A comma inside a number does not divide.
    const divides = i === plain.length || (code === comma ? !(isDigit(plain.charCodeAt(i - 1)) && isDigit(plain.charCodeAt(i + 1))) : dividers.has(code));
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

function trimmed(text: string, start: number, end: number): string {
  while (start < end && trimStart.has(text.charCodeAt(start))) start++;
  while (end > start && trimEnd.has(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Parts of a chunk that may be a value of their own: `recipient:GB29…`, `id=13`, `mailto:a@b.example`. */
export function partsOf(chunk: string): readonly string[] {
  if (!/[:=#/,]/.test(chunk)) return [];
  const parts = chunk.split(/[:=#,]+|(?<=^|[^/])\/(?=[^/])/).map((part) => trimmed(part, 0, part.length));
  const withoutScheme = /^[a-z][a-z0-9+.-]*:\/\/(.+)$/.exec(chunk)?.[1];
  return [...parts, ...(withoutScheme === undefined ? [] : [trimmed(withoutScheme, 0, withoutScheme.length)])].filter((part) => part.length >= shortestFreeValue && part !== chunk);
}

/** `1,204.50`, `$1204.5`, `1 204,50` and `1204.50` are `1204.5`; undefined for what is no number. */
export function numberForm(text: string): string | undefined {
  if (text.length > 40 || !/[0-9]/.test(text)) return undefined;
  const bare = text.trim().replace(/^(?:[$€£¥]|usd|eur|gbp|jpy|chf)\s?|\s?(?:[$€£¥%]|usd|eur|gbp|jpy|chf|円)$/gi, '');
  if (!/^-?[0-9][0-9.,'_ ]*$/.test(bare)) return undefined;
  const european = /^-?[0-9]{1,3}(?:[. ][0-9]{3})*,[0-9]{1,2}$/.test(bare);
  const plain = european ? bare.replace(/[. ]/g, '').replace(',', '.') : /^-?[0-9]{1,3}(?:([,'_ ])[0-9]{3})+(?:\.[0-9]+)?$/.test(bare) ? bare.replace(/[,'_ ]/g, '') : bare;
  if (!/^-?[0-9]+(?:\.[0-9]+)?$/.test(plain)) return undefined;
  const [whole = '', fraction = ''] = plain.split('.');
  const digits = whole.replace(/^(-?)0+(?=[0-9])/, '$1');
  const rest = fraction.replace(/0+$/, '');
  return rest === '' ? digits : `${digits}.${rest}`;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const spelledDates = [
  { pattern: new RegExp(`\\b([0-9]{1,2})(?:st|nd|rd|th)?(?: of)? ${month}(?:,? ([0-9]{4}))?`, 'g'), order: 'dmy' },
  { pattern: new RegExp(`\\b${month} ([0-9]{1,2})(?:st|nd|rd|th)?(?:,? ([0-9]{4}))?(?![0-9:])`, 'g'), order: 'mdy' },
] as const;

/** Dates in a plain text as `2024-05-26`, and as `--05-26` when the year is not said. Ambiguous ones count both ways. */
export function datesIn(lower: string): readonly string[] {
  const found: string[] = [];
  for (const match of lower.matchAll(/\b([0-9]{4})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})/g)) found.push(date(match[1], match[2], match[3]));
  for (const match of lower.matchAll(/\b([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})\b/g)) {
    found.push(date(match[3], match[2], match[1]), date(match[3], match[1], match[2]));
  }
  for (const { pattern, order } of spelledDates) {
    for (const match of lower.matchAll(pattern)) {
      const name = order === 'dmy' ? match[2] : match[1];
      const day = order === 'dmy' ? match[1] : match[2];
      found.push(date(match[3], String(months.indexOf((name ?? '').slice(0, 3)) + 1), day));
    }
  }
  return found.filter((one) => /^(?:[0-9]{4}|-)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/.test(one));
}

const date = (year: string | undefined, m: string | undefined, d: string | undefined): string =>
  `${year ?? '-'}-${(m ?? '').padStart(2, '0')}-${(d ?? '').padStart(2, '0')}`;

/** Times of day in a plain text as `14:30`. */
export function timesIn(lower: string): readonly string[] {
  const found: string[] = [];
  for (const match of lower.matchAll(/(?<![0-9:])([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?\s?(am|pm)?(?![0-9])/g)) found.push(clock(match[1], match[2], match[3]));
  for (const match of lower.matchAll(/(?<![0-9:])([0-9]{1,2})\s?(am|pm)\b/g)) found.push(clock(match[1], '00', match[2]));
  if (/\bnoon\b|正午/.test(lower)) found.push('12:00');
  if (/\bmidnight\b/.test(lower)) found.push('00:00');
  return found;
}

function clock(hours: string | undefined, minutes: string | undefined, half: string | undefined): string {
  const hour = Number(hours ?? 0);
  const day = half === 'pm' && hour < 12 ? hour + 12 : half === 'am' && hour === 12 ? 0 : hour;
  return `${String(day).padStart(2, '0')}:${minutes ?? '00'}`;
}

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
  for (const match of text.slice(0, longestText).matchAll(/([A-Za-z_][\w-]{0,40})["']?\s{0,3}[:=]\s{0,3}["']?([^\s"',;{}[\]]{1,3})(?=["',;}\]\s]|$)/g)) {
    found.push([fieldName(match[1] ?? ''), (match[2] ?? '').toLowerCase()]);
  }
  return found;
}

/** `event_id`, `eventId` and `id_` by one name. */
export const fieldName = (name: string): string =>
  name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
