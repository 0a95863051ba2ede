import type { Issue } from '@/lib/shared/result';

/**
 * The fenced `yaml policy` blocks of a Markdown text in their places, everything else as empty lines. Null, with every problem, when
 * there is none or when one might be read otherwise by people, in a comment or a hidden element: what is signed must be what they see.
 */
export function policyBlocks(text: string): { readonly yaml: string | null; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const problem = (line: number, message: string, fix: string): void => void issues.push({ path: '', message, fix, line: line + 1, column: 1 });
  const lines: string[] = [];
  let open: { readonly fence: string; readonly isPolicy: boolean; readonly line: number } | null = null;
  let hidden = false;
  let found = false;
  for (const [i, line] of text.split('\n').entries()) {
    const mark = /^( *)(`{3,}|~{3,})(.*)$/.exec(line.trimEnd());
    const [, indent = '', fence = '', info = ''] = mark ?? [];
    if (open) {
      const closes = mark !== null && indent.length < 4 && fence.startsWith(open.fence) && info.trim() === '';
      lines.push(open.isPolicy && !closes ? line : '');
      if (closes) open = null;
      continue;
    }
    lines.push('');
    const says = mark !== null && /\bpolicy\b/.test(info) && /\bya?ml\b/.test(info);
    const isPolicy = says && /^ya?ml\s+policy$/.test(info.trim());
    if (says && hidden) problem(i, 'This block stands in a comment: who reads the document does not see it.', 'Move it out of <!-- -->, or remove it.');
    else if (says && indent !== '') problem(i, 'A policy block that is indented may belong to a list or be shown as text.', 'Begin its fence in the first column.');
    else if (says && !isPolicy) problem(i, `${JSON.stringify(info.trim())} opens no policy block.`, 'Open it with ```yaml policy and nothing else.');
    if (mark && !hidden && indent.length < 4) {
      open = { fence, isPolicy: isPolicy && indent === '', line: i };
      found ||= open.isPolicy;
    } else if (!mark) {
      if (!hidden && hasMarkup(line)) problem(i, 'HTML in the prose may hide or change what stands after it.', 'Remove the tag, or put `<…>` in backquotes.');
      hidden = isHiddenAfter(line, hidden);
    }
  }
  if (open?.isPolicy === true) problem(open.line, 'This block is never closed, so what follows it belongs to the policy too.', 'Close it with a line ```.');
  if (!found && issues.length === 0) problem(0, 'The document has no block fenced as `yaml policy`.', 'Open a block with ```yaml policy.');
  return { yaml: issues.length === 0 ? lines.join('\n') : null, issues };
}

/** Tags outside of code; addresses in angle brackets are none. */
const hasMarkup = (line: string): boolean => /<\/?[a-z][a-z0-9-]*(?:[\s/>]|$)/i.test(line.replaceAll(/`[^`]*`/g, '').replaceAll(/<!--.*?-->/g, ''));

/** Whether the next line is inside an HTML comment. */
function isHiddenAfter(line: string, hidden: boolean): boolean {
  const begins = line.lastIndexOf('<!--');
  const ends = line.lastIndexOf('-->');
  return begins < 0 && ends < 0 ? hidden : begins > ends;
}
