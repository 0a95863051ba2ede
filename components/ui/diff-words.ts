import { diffArrays } from 'diff';
import { escapeUntrusted, type Segment } from '@/lib/approvals/escape-untrusted';

/** A word, a run of blanks or one escaped character, and whether the other side lacks it. */
export interface DiffPiece {
  readonly segment: Segment;
  readonly changed: boolean;
}

export type DiffLine = readonly DiffPiece[];

export interface WordDiff {
  readonly before: readonly DiffLine[];
  readonly after: readonly DiffLine[];
}

const lineEnd = '\n';
/** Words; finding the fewest changes of more takes time that rises with their square. */
const mostChanges = 2000;

/**
 * Two texts word by word, as lines: on the left what is only there is marked, on the right what is only there. Both texts are whole on their
 * side. Texts that differ in very many words are marked whole. The comparison runs over what is shown, so that two values that differ only in a hidden character differ here too.
 */
export function diffWords(before: string, after: string): WordDiff {
  const left: DiffPiece[] = [];
  const right: DiffPiece[] = [];
  const [was, is] = [pieces(before), pieces(after)];
  const parts = diffArrays(was, is, { comparator: same, maxEditLength: mostChanges }) ?? [{ value: was, added: false, removed: true }, { value: is, added: true, removed: false }];
  for (const part of parts) {
    for (const segment of part.value) {
      if (!part.added) left.push({ segment, changed: part.removed });
      if (!part.removed) right.push({ segment, changed: part.added });
    }
  }
  return { before: lines(left), after: lines(right) };
}

/** One text as lines with nothing marked. */
export function plainLines(text: string): readonly DiffLine[] {
  return lines(pieces(text).map((segment) => ({ segment, changed: false })));
}

function pieces(text: string): Segment[] {
  return escapeUntrusted(text).flatMap((segment): readonly Segment[] => (segment.kind === 'escape' ? [segment] : splitWords(segment.text)));
}

function splitWords(text: string): readonly Segment[] {
  return (text.match(/\n|[^\S\n]+|[\p{L}\p{N}_.-]+|./gu) ?? []).map((word) => ({ kind: 'text', text: word }));
}

function same(left: Segment, right: Segment): boolean {
  return left.kind === 'text' ? right.kind === 'text' && left.text === right.text : right.kind === 'escape' && left.codePoint === right.codePoint;
}

function lines(parts: readonly DiffPiece[]): readonly DiffLine[] {
  const result: DiffPiece[][] = [[]];
  for (const part of parts) {
    if (part.segment.kind === 'text' && part.segment.text === lineEnd) result.push([]);
    else result.at(-1)?.push(part);
  }
  return result.map(bridgeBlanks);
}

/** Blanks between two changed words are part of the change: one mark reads better than three. */
function bridgeBlanks(line: readonly DiffPiece[]): DiffLine {
  return line.map((piece, index) => {
    if (piece.changed || piece.segment.kind === 'escape' || piece.segment.text.trim() !== '') return piece;
    return line[index - 1]?.changed === true && line[index + 1]?.changed === true ? { ...piece, changed: true } : piece;
  });
}
