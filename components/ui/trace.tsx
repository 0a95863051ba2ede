import type { ReactNode } from 'react';
import { DecisionChip } from '@/components/ui/decision-chip';
import type { DecisionKind } from '@/components/ui/decision-kind';

export interface TraceRow {
  /** Place of the rule in the policy. */
  readonly at: number | string;
  readonly rule: string;
  readonly why: ReactNode;
  /** `shaped` changed the action, `fired` decided it, `unmatched` didn't match, `idle` matched and did not decide. */
  readonly effect: 'unmatched' | 'shaped' | 'fired' | 'idle';
  /** The decision of a rule that shaped, fired or matched. */
  readonly decision?: DecisionKind;
}

interface TraceProps {
  readonly caption: string;
  readonly rows: readonly TraceRow[];
  readonly result?: { readonly decision: DecisionKind; readonly words: ReactNode };
}

const rowClass: Readonly<Record<TraceRow['effect'], string>> = { unmatched: 'skip-r', shaped: 'shaped', fired: 'fired', idle: 'skip-r' };

/** The rules that apply to an action, in order, and what came of them under a double rule. */
export function Trace({ caption, rows, result }: TraceProps) {
  return (
    <table className="trace">
      <caption className="vh">{caption}</caption>
      <thead className="vh"><tr><th scope="col">Place</th><th scope="col">Rule</th><th scope="col">Why</th><th scope="col">Effect</th></tr></thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.at} ${row.rule}`} className={rowClass[row.effect]} data-d={row.decision === 'DENY' && row.effect === 'fired' ? 'deny' : undefined}>
            <td>{row.at}</td>
            <th scope="row">{row.rule}</th>
            <td>{row.why}</td>
            <td className="right">{effectWord(row)}</td>
          </tr>
        ))}
        {result === undefined ? null : (
          <tr className="trace-total">
            <td />
            <th scope="row">Result</th>
            <td>{result.words}</td>
            <td className="right"><DecisionChip decision={result.decision} variant="chip" /></td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function effectWord(row: TraceRow): ReactNode {
  if (row.effect === 'unmatched') return 'no match';
  if (row.effect === 'idle') return 'did not decide';
  return row.decision === undefined ? row.effect : <DecisionChip decision={row.decision} />;
}
