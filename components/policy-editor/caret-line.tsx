import { Icon } from '@/components/ui/icon';
import type { Problem } from '@/lib/client/policy-desk-messages';

/** What is wrong on the line of the caret, under the text, so that nobody needs a mouse to read it. */
export function CaretLine({ caret, problems }: { readonly caret: { readonly line: number; readonly column: number }; readonly problems: readonly Problem[] }) {
  const here = problems.filter(({ line }) => line === caret.line).sort((a, b) => Math.abs(a.column - caret.column) - Math.abs(b.column - caret.column));
  const [first] = here;
  return (
    <p className="caret-line" role="status" aria-label="At the caret">
      <span className="t3">{caret.line}:{caret.column}</span>
      {first === undefined ? null : (
        <span data-severity={first.severity}>
          <Icon name={first.severity === 'error' ? 'cross' : 'caution'} small label={first.severity} /> {first.message} {first.fix === null ? null : <span className="t2">{first.fix}</span>}
          {here.length > 1 ? <span className="t3"> and {here.length - 1} more on this line</span> : null}
        </span>
      )}
    </p>
  );
}
