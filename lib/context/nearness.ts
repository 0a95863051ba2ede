const longestRead = 2_000;
const gram = 4;

/** Words that say nothing about what a text is about. */
const empty = new Set('the and for with from that this have has was were are you your our their his her its can will would could should please then than into onto about over under all any some not but what who how when where which a an of to in on at by is it be as or if do i me my we us'.split(' '));

/**
 * What a text is about, as stems: lower-case words cut to their first letters, so that "meetings" meets "meeting", and
 * pairs of characters for scripts without blanks. No table, no download, the same everywhere.
 */
export function stemsOf(text: string): ReadonlySet<string> {
  const stems = new Set<string>();
  const read = text.slice(0, longestRead).normalize('NFKC').toLowerCase();
  // Most texts need none of Unicode's tables.
  const plain = /^[\0-\x7f]*$/.test(read);
  for (const word of read.match(plain ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? []) {
    if (!plain && /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) {
      for (let i = 0; i + 2 <= word.length; i++) stems.add(word.slice(i, i + 2));
    } else if (word.length > 1 && !empty.has(word)) stems.add(word.length > gram + 1 ? word.slice(0, gram + 1) : word);
  }
  return stems;
}

/** Thousandths of the texts' stems that the request has; null when there is nothing to compare. */
export function nearnessOf(request: ReadonlySet<string>, texts: readonly string[]): number | null {
  if (request.size === 0) return null;
  const codes = codesOf(request);
  let all = 0;
  let shared = 0;
  for (const text of texts) {
    const coded = stemCodesOf(text);
    if (!coded) {
      for (const stem of stemsOf(text)) {
        all++;
        if (request.has(stem)) shared++;
      }
      continue;
    }
    all += coded.length;
    for (const code of coded) if (codes.has(code)) shared++;
  }
  return all === 0 ? null : Math.floor((1000 * shared) / all);
}

/** 1 to 10 for digits, 11 to 36 for letters of either case, 0 for what stands between words, −1 for what is not ASCII. */
const digits = Int8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[0-9]/.test(character) ? 1 + Number(character) : /[a-z]/.test(character) ? character.charCodeAt(0) - 0x61 + 11 : 0;
});
const digitOf = (code: number): number => (code < 128 ? (digits[code] ?? 0) : -1);

/** A stem of letters and digits in base 37; one number for each. */
function codeOf(stem: string): number {
  let code = 0;
  for (let i = 0; i < stem.length; i++) code = code * 37 + digitOf(stem.charCodeAt(i));
  return code;
}

const known = new WeakMap<ReadonlySet<string>, { readonly size: number; readonly codes: ReadonlySet<number> }>();

/** The stems of a session's requests, which only grow, as numbers. */
function codesOf(stems: ReadonlySet<string>): ReadonlySet<number> {
  const found = known.get(stems);
  if (found?.size === stems.size) return found.codes;
  const codes = new Set([...stems].filter((stem) => /^[a-z0-9]{1,5}$/.test(stem)).map(codeOf));
  known.set(stems, { size: stems.size, codes });
  return codes;
}

const longestEmpty = Math.max(...[...empty].map((word) => word.length));
const emptyCodes: ReadonlySet<number> = new Set([...empty].filter((word) => word.length <= gram + 1).map(codeOf));

/** Stems of one text that were met, by place: twice as many places as a text that is read can have stems, a power of two. */
const met = new Int32Array(2_048);

/**
 * The same stems as `stemsOf` gives, each once, as numbers and without making a text of each word: every text of every action is
 * compared with the request. Null for a text that is not plain ASCII.
 */
export function stemCodesOf(text: string): readonly number[] | null {
  const codes: number[] = [];
  met.fill(0);
  const end = Math.min(text.length, longestRead);
  let length = 0;
  let code = 0;
  for (let i = 0; i <= end; i++) {
    const digit = i < end ? digitOf(text.charCodeAt(i)) : 0;
    if (digit < 0) return null;
    if (digit > 0) {
      if (length <= gram) code = code * 37 + digit;
      length++;
      continue;
    }
    if (length > 1) {
      const isEmpty = length <= gram + 1 ? emptyCodes.has(code) : length <= longestEmpty && empty.has(text.slice(i - length, i).toLowerCase());
      if (!isEmpty && isNew(code)) codes.push(code);
    }
    length = 0;
    code = 0;
  }
  return codes;
}

function isNew(code: number): boolean {
  let place = Math.imul(code, 0x9e3779b1) >>> 21;
  while (met[place] !== 0) {
    if (met[place] === code) return false;
    place = (place + 1) & (met.length - 1);
  }
  met[place] = code;
  return true;
}
