import { FigureStrip } from '@/components/layout/board';
import { Time } from '@/components/ui/time';
import type { OverviewView } from '@/lib/contracts/console/overview';

/** What counts right now. */
export function KeyFigures({ view, offsetMs }: { readonly view: OverviewView; readonly offsetMs: number }) {
  const decided = Object.values(view.last_hour).reduce((sum, count) => sum + count, 0);
  return (
    <FigureStrip
      label="Key figures"
      figures={[
        { label: 'Waiting for approval', value: view.waiting.toLocaleString('en'), note: view.need_second === 0 ? undefined : `${view.need_second} need another signature` },
        { label: 'Oldest held', value: view.oldest_held_at === null ? '–' : <Time at={view.oldest_held_at} offsetMs={offsetMs} /> },
        { label: 'Deferred for facts', value: view.deferred.toLocaleString('en') },
        { label: 'Decisions, last hour', value: decided.toLocaleString('en'), note: `${view.last_hour.STEP_UP} to a person` },
        { label: 'Denials, 24 h', value: view.denials_24h.total.toLocaleString('en') },
      ]}
    />
  );
}
