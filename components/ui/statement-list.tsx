import type { ReactNode } from 'react';

export interface StatementLine {
  readonly label: string;
  readonly value: ReactNode;
}

/** What a signature would say, line by line, closed by a double rule: ready to sign. */
export function StatementList({ lines }: { readonly lines: readonly StatementLine[] }) {
  return (
    <dl className="statement">
      {lines.map((line) => <div key={line.label}><dt>{line.label}</dt><dd>{line.value}</dd></div>)}
    </dl>
  );
}
