import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import type { ReplayReport } from '@/lib/policy/replay-report';

import { ChangedReceipts } from './changed-receipts';
import { replayWords } from './proof-words';
import { TransitionsTable } from './transitions-table';

/** Real decisions of a period, taken again. */
export function ReplaySection({ replay }: { readonly replay: ReplayReport }) {
  const left = replay.decisions - replay.replayed;
  const note = `${replay.decisions.toLocaleString('en')} decisions, ${left === 0 ? 'all taken again' : `${left.toLocaleString('en')} not taken again`}`;
  return (
    <Section title={<>Replay since <Time at={replay.range.since} form="date" /></>} note={note}>
      <TransitionsTable transitions={replay.transitions} />
      {replayWords(replay).map((words) => <p className="meta2 replay-said" key={words}>{words}</p>)}
      <ChangedReceipts rows={replay.listed} total={replay.changed} />
    </Section>
  );
}
