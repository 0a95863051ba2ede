import type { ReactNode } from 'react';

interface DecisionBarProps {
  /** Names the bar: "Decide". */
  readonly label?: string;
  /** A large wordless `Ring`. */
  readonly mark?: ReactNode;
  /** What would be signed, with its digest and a way to read the whole statement. */
  readonly statement: ReactNode;
  /** What the signature would cover. */
  readonly covers?: ReactNode;
  /** The quick denial first, the deliberate approval last. */
  readonly children: ReactNode;
}

/** The bar that decides. Always in view; at the bottom edge on a phone. */
export function DecisionBar({ label = 'Decide', mark, statement, covers, children }: DecisionBarProps) {
  return (
    <footer className="bar" aria-label={label} role="group">
      {mark}
      <div className="bar-what"><p>{statement}</p>{covers === undefined ? null : <p className="meta">{covers}</p>}</div>
      <div className="bar-do">{children}</div>
    </footer>
  );
}
