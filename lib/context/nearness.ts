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
  let all = 0;
  let shared = 0;
  for (const text of texts) {
    for (const stem of stemsOf(text)) {
      all++;
      if (request.has(stem)) shared++;
    }
  }
  return all === 0 ? null : Math.floor((1000 * shared) / all);
}
