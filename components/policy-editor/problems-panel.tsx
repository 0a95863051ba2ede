import { Icon } from '@/components/ui/icon';
import type { CheckState } from './use-policy-desk';
import type { Problem } from '@/lib/client/policy-desk-messages';

/** One mistake often brings many, and nobody reads hundreds. */
const shown = 100;

interface ProblemsPanelProps {
  readonly check: CheckState;
  readonly problems: readonly Problem[];
  /** Names what loads: "The policy". */
  readonly what: string;
  readonly onGo: (problem: Problem) => void;
}

/** Everything that the parser and the linter found, each with its place; pressing one goes there. */
export function ProblemsPanel({ check: { checked, fault }, problems, what, onGo }: ProblemsPanelProps) {
  if (fault !== null) return <p className="meta2 pad" role="alert">The text could not be read here. {fault}</p>;
  if (checked === null) return <p className="meta2 pad">Reading the text.</p>;
  if (problems.length === 0) return <p className="meta2 pad"><Icon name="check" small /> {what} loads, and the linter finds nothing.</p>;
  return (
    <>
      <ul className="problems">
        {problems.slice(0, shown).map((problem, index) => (
          <li key={index} data-severity={problem.severity}>
            <button type="button" onClick={() => onGo(problem)}>
              <span className="problem-at"><Icon name={problem.severity === 'error' ? 'cross' : 'caution'} small label={problem.severity} /><span className="vh">Go to </span>{problem.line}:{problem.column}</span>
              <span>
                {problem.path === '' ? null : <code>{problem.path}</code>} {problem.message} {problem.fix === null ? null : <span className="t3">{problem.fix}</span>}
                {problem.severity === 'warning' ? <> <code className="t3">{problem.code}</code></> : null}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {problems.length > shown ? <p className="meta2 pad">{(problems.length - shown).toLocaleString('en')} more follow; they are often only consequences of the first.</p> : null}
    </>
  );
}

export const problemWords = (problems: readonly Problem[]): string => {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const words = [errors === 0 ? null : errors === 1 ? '1 error' : `${errors} errors`, warnings === 0 ? null : warnings === 1 ? '1 warning' : `${warnings} warnings`];
  return words.filter((word) => word !== null).join(', ');
};
