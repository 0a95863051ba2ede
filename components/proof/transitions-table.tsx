import { DecisionChip } from '@/components/ui/decision-chip';
import type { ReplayReport } from '@/lib/policy/replay-report';

import { kindsShown } from './proof-words';

/** What is decided now, by row, against what the proposal would decide, by column. What moves is plum. */
export function TransitionsTable({ transitions }: Pick<ReplayReport, 'transitions'>) {
  const count = (fits: (one: ReplayReport['transitions'][number]) => boolean): number => transitions.filter(fits).reduce((sum, one) => sum + one.count, 0);
  return (
    <table className="matrix">
      <caption className="vh">Decisions under the policy in force, by row, against decisions under this proposal, by column</caption>
      <thead><tr><th scope="col">Now, then →</th>{kindsShown.map((kind) => <th scope="col" key={kind}><DecisionChip decision={kind} /></th>)}</tr></thead>
      <tbody>
        {kindsShown.map((now) => (
          <tr key={now}>
            <th scope="row"><DecisionChip decision={now} /></th>
            {kindsShown.map((then) => {
              const many = count((one) => one.now === now && one.then === then);
              return <td key={then} className={many === 0 ? 'z' : now === then ? 'same' : 'moved'}>{many.toLocaleString('en')}</td>;
            })}
          </tr>
        ))}
        <tr className="sum"><th scope="row">Then</th>{kindsShown.map((then) => <td key={then}>{count((one) => one.then === then).toLocaleString('en')}</td>)}</tr>
      </tbody>
    </table>
  );
}
