import { DecisionColumns } from '@/components/ui/decision-columns';
import { Panel } from '@/components/ui/section';
import { formatClock } from '@/lib/client/format-time';
import type { OverviewView } from '@/lib/contracts/console/overview';

/** Decisions of the last hour, a column a minute. */
export function DecisionsPanel({ view }: { readonly view: OverviewView }) {
  const total = Object.values(view.last_hour).reduce((sum, count) => sum + count, 0);
  return (
    <Panel title="Decisions per minute" note={`Last 60 minutes, ${total.toLocaleString('en')} decisions, UTC`} className="span-8">
      {total === 0
        ? <p className="meta2 mt-4">No action was decided in the last hour. An agent’s first proposal appears here within a second.</p>
        : <DecisionColumns title="Decisions per minute over the last hour" unit="Minute" columns={view.per_minute.map(({ at, counts }) => ({ label: formatClock(Date.parse(at), 'UTC').slice(0, 5), counts }))} />}
    </Panel>
  );
}
