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

/** Line changes from one text to the next, in hunks with three lines of context. A missing final line end is not told apart. */
export function patchLines(before: string, after: string): readonly PatchHunk[] {
  return structuredPatch('before', 'after', before, after, undefined, undefined, { context: 3 }).hunks.map((hunk) => {
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
