/** A request taken apart. `words` are the person's own; `carried` is text they passed on: quoted, fenced, attached. */
export type SplitRequest = { readonly words: string; readonly carried: readonly string[] };

const fence = /^\s*(?:`{3,}|~{3,}|"{3})/;
const quoted = /^\s*(?:>|\|\s)/;
const opensForwarded = /^\s*(?:-{2,}\s*(?:original message|forwarded message|begin forwarded|attachment|転送|元のメッセージ)|begin forwarded message:|(?:attachment|attached file|attached|添付(?:ファイル)?)\s*[:：])/i;
const tagOpens = /<(attachment|attached|document|quote|file|email|forwarded|untrusted|context)\b[^>]*>/i;
/** The head of a mail that was pasted in: two of its fields, one under the other. */
const headBegins = /^\s*(?:from|von|de|差出人)\s*[:：]/i;
const headGoesOn = /^\s*(?:to|cc|date|sent|subject|an|datum|betreff|gesendet|宛先|件名|日時)\s*[:：]/i;
const inline = /"[^"\n]+"|“[^”\n]+”|「[^」\n]+」/g;
const longInline = 120;
const longInlineJapanese = 80;

/**
 * Cuts out what a person did not write themselves. Whatever opens and does not close runs to the end: a text that hides
 * the end of its quotation must not become the person's words.
 */
export function splitRequest(text: string): SplitRequest {
  const words: string[] = [];
  const carried: string[] = [];
  let closes: ((line: string) => boolean) | undefined;
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (closes) {
      carried.push(line);
      if (closes(line)) closes = undefined;
    } else if (fence.test(line)) {
      const mark = line.trim().slice(0, 3);
      carried.push(line);
      // A fence that opens and closes on one line holds only that line.
      if (!(line.trim().length > 6 && line.trim().endsWith(mark))) closes = (next) => next.trim().startsWith(mark);
    } else if (opensForwarded.test(line) || (headBegins.test(line) && headGoesOn.test(lines[at + 1] ?? ''))) {
      carried.push(line);
      closes = () => false;
    } else if (quoted.test(line)) carried.push(line);
    else {
      const { own, open } = withoutDocuments(line, carried);
      if (open !== undefined) closes = (next) => next.toLowerCase().includes(open);
      words.push(own.replace(inline, (passage) => (isSomebodyElses(passage) ? (carried.push(passage), ' ') : passage)));
    }
  }
  return { words: words.join('\n').trim(), carried };
}

/** A line without the documents in it; `open` is the end that is still to come. */
function withoutDocuments(line: string, carried: string[]): { readonly own: string; readonly open?: string } {
  let own = '';
  for (let rest = line; ; ) {
    const tag = tagOpens.exec(rest);
    if (!tag) return { own: own + rest };
    const end = `</${tag[1]?.toLowerCase() ?? ''}>`;
    own += `${rest.slice(0, tag.index)} `;
    const from = rest.slice(tag.index);
    const closing = new RegExp(end, 'i').exec(from);
    carried.push(closing ? from.slice(0, closing.index + end.length) : from);
    if (!closing) return { own, open: end };
    rest = from.slice(closing.index + end.length);
  }
}

/**
 * Names, addresses and short titles in inline quotes are the person's own words. A longer passage is somebody else's text,
 * and so is a short one that says something about an address: there an injected instruction would do its work.
 */
function isSomebodyElses(passage: string): boolean {
  if (passage.length > (passage.startsWith('「') ? longInlineJapanese : longInline)) return true;
  return /@|:\/\//.test(passage) && passage.trim().split(/\s+/).length >= 3;
}
