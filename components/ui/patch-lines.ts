import { structuredPatch } from 'diff';

export interface PatchLine {
  readonly kind: 'kept' | 'added' | 'removed';
  readonly text: string;
  /** Line number in the new text; null for a removed line. */
  readonly at: number | null;
}

export interface PatchHunk {
  /** First line of the hunk in the new text. */
  readonly from: number;
  readonly lines: readonly PatchLine[];
}

const signs = { ' ': 'kept', '+': 'added', '-': 'removed' } as const;

/** Lines that are removed or added; finding the fewest of more takes time that rises with their square, and texts come from agents. */
const mostChanges = 2000;

/**
 * Line changes from one text to the next, in hunks with three lines of context. A missing final line end is not told apart. Between texts that
 * differ in very many lines all from the first to the last different one is shown as replaced, which is longer and as true.
 */
export function patchLines(before: string, after: string): readonly PatchHunk[] {
  const fine = structuredPatch('before', 'after', before, after, undefined, undefined, { context: 3, maxEditLength: mostChanges });
  if (fine === undefined) return [replacedLines(before, after)];
  return fine.hunks.map((hunk) => {
    let next = hunk.newStart;
    const lines = hunk.lines.flatMap((line): PatchLine[] => {
      const sign = line[0];
      if (sign !== ' ' && sign !== '+' && sign !== '-') return [];
      const kind = signs[sign];
      return [{ kind, text: line.slice(1), at: kind === 'removed' ? null : next++ }];
    });
    return { from: hunk.newStart, lines };
  });
}

function replacedLines(before: string, after: string): PatchHunk {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let same = 0;
  while (same < shorter - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same += 1;
  const removed = old.slice(start, old.length - same).map((text): PatchLine => ({ kind: 'removed', text, at: null }));
  const added = now.slice(start, now.length - same).map((text, at): PatchLine => ({ kind: 'added', text, at: start + at + 1 }));
  return { from: start + 1, lines: [...removed, ...added] };
}
