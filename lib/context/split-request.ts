/** A request taken apart. `words` are the person's own; `carried` is text they passed on: quoted, fenced, attached. */
export type SplitRequest = { readonly words: string; readonly carried: readonly string[] };

const fence = /^\s*(?:`{3,}|~{3,}|"{3})/;
const quoted = /^\s*(?:>|\|\s)/;
const opensForwarded = /^\s*(?:-{2,}\s*(?:original message|forwarded message|begin forwarded|attachment|転送|元のメッセージ)|begin forwarded message:|(?:attachment|attached file|attached|添付(?:ファイル)?)\s*[:：])/i;
const tagOpens = /^\s*<(attachment|attached|document|quote|file|email|forwarded|untrusted|context)\b[^>]*>/i;
/** Names and short titles in inline quotes are the person's own words; a longer passage is somebody else's text. */
const longInline = /"[^"\n]{120,}"|“[^”\n]{120,}”|「[^」\n]{80,}」/g;

/**
 * Cuts out what a person did not write themselves. Whatever opens and does not close runs to the end: a text that hides
 * the end of its quotation must not become the person's words.
 */
export function splitRequest(text: string): SplitRequest {
  const words: string[] = [];
  const carried: string[] = [];
  let closes: ((line: string) => boolean) | undefined;
  for (const line of text.split('\n')) {
    if (closes) {
      carried.push(line);
      if (closes(line)) closes = undefined;
    } else if (fence.test(line)) {
      const mark = line.trim().slice(0, 3);
      carried.push(line);
      // A fence that opens and closes on one line holds only that line.
      if (!(line.trim().length > 6 && line.trim().endsWith(mark))) closes = (next) => next.trim().startsWith(mark);
    } else if (opensForwarded.test(line)) {
      carried.push(line);
      closes = () => false;
    } else if (tagOpens.test(line)) {
      const end = `</${tagOpens.exec(line)?.[1]?.toLowerCase() ?? ''}>`;
      carried.push(line);
      if (!line.toLowerCase().includes(end)) closes = (next) => next.toLowerCase().includes(end);
    } else if (quoted.test(line)) carried.push(line);
    else {
      words.push(
        line.replace(longInline, (passage) => {
          carried.push(passage);
          return ' ';
        }),
      );
    }
  }
  return { words: words.join('\n').trim(), carried };
}
