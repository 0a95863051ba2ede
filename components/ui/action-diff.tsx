import type { ReactNode } from 'react';
import { DiffCode } from '@/components/ui/diff-code';
import { diffWords, plainLines } from '@/components/ui/diff-words';

interface Measured {
  readonly label: string;
  readonly value: ReactNode;
}

interface ActionDiffProps {
  /** The action as proposed, in its canonical text. */
  readonly before: string;
  /** The action as policy would let it through; null when policy left it as it was. */
  readonly after: string | null;
  /** What the sides are called; left out: `a` and `a′`. */
  readonly names?: readonly [before: string, after: string];
  readonly beforeTitle?: string;
  readonly afterTitle?: string;
  /** What changed, in measured words: "1 filter added, limit lowered". */
  readonly change?: string;
  /** What each side would touch, where it was measured. */
  readonly beforeFact?: Measured | undefined;
  readonly afterFact?: Measured | undefined;
}

/** `a` beside `a′`, word by word. `a` stands on hatch, for nobody vouched for it; what policy changed is plum. One column when nothing changed. */
export function ActionDiff({ before, after, names = ['a', 'a′'], beforeTitle = 'Written by the agent', afterTitle = 'After policy', change, beforeFact, afterFact }: ActionDiffProps) {
  const diff = after === null ? null : diffWords(before, after);
  return (
    <div className="ab" data-single={diff === null ? '' : undefined}>
      <figure>
        <figcaption><b>{names[0]}</b> {beforeTitle} {names[0] === 'a' ? <span className="t3">unverified</span> : null}</figcaption>
        <DiffCode lines={diff?.before ?? plainLines(before)} mark="removed" hatched={names[0] === 'a'} />
        <Fact measured={beforeFact} />
      </figure>
      {diff === null ? null : (
        <figure>
          <figcaption><b>{names[1]}</b> {afterTitle} {change === undefined ? null : <span className="t3">{change}</span>}</figcaption>
          <DiffCode lines={diff.after} mark="added" />
          <Fact measured={afterFact} />
        </figure>
      )}
    </div>
  );
}

function Fact({ measured }: { readonly measured: Measured | undefined }) {
  if (measured === undefined) return null;
  return <p className="fact"><span className="t2">{measured.label}</span><b>{measured.value}</b></p>;
}
