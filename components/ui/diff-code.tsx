import type { ReactNode } from 'react';
import type { DiffLine, DiffPiece } from '@/components/ui/diff-words';
import { SegmentView } from '@/components/ui/untrusted-text';

interface DiffCodeProps {
  readonly lines: readonly DiffLine[];
  /** How changed words are marked: plum as added, or struck as removed. */
  readonly mark: 'added' | 'removed';
  readonly hatched?: boolean;
}

/** Numbered lines of literal text. They wrap and never scroll sideways: padding must not push a clause out of sight. */
export function DiffCode({ lines, mark, hatched = false }: DiffCodeProps) {
  return (
    <pre className={hatched ? 'code hatched' : 'code'}>
      {lines.map((line, index) => <span className="l" key={index}><bdo dir="ltr">{runs(line).map((run, at) => <Run key={at} run={run} mark={mark} />)}</bdo></span>)}
    </pre>
  );
}

function Run({ run, mark }: { readonly run: readonly DiffPiece[]; readonly mark: 'added' | 'removed' }): ReactNode {
  const content = run.map((piece, index) => <SegmentView key={index} segment={piece.segment} />);
  if (run[0]?.changed !== true) return content;
  return mark === 'added' ? <ins>{content}</ins> : <del>{content}</del>;
}

/** Neighbours of equal standing share one mark. Blanks at the start of a line stay outside it, so that indentation isn't underlined. */
function runs(line: DiffLine): readonly (readonly DiffPiece[])[] {
  const result: DiffPiece[][] = [];
  line.forEach((piece, index) => {
    const indent = index === 0 && piece.segment.kind === 'text' && piece.segment.text.trim() === '';
    const part = indent ? { ...piece, changed: false } : piece;
    const last = result.at(-1);
    if (last?.[0]?.changed === part.changed) last.push(part);
    else result.push([part]);
  });
  return result;
}
