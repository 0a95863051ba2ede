import type { ReactNode } from 'react';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  /** `bad` and `warn` are for measured facts that speak against the action. */
  readonly tone?: 'bad' | 'warn';
}

/** Labels on the left, facts on the right, a hairline between. */
export function FactsList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map((fact) => <FactRow key={fact.label} fact={fact} />)}
    </dl>
  );
}

function FactRow({ fact }: { readonly fact: Fact }) {
  return <><dt>{fact.label}</dt><dd className={fact.tone}>{fact.value}</dd></>;
}
