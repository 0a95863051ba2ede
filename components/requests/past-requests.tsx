import { Section } from '@/components/ui/section';
import { Table, Th } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { ViewSentence } from '@/components/ui/view-sentence';
import type { QueueItem } from '@/lib/contracts/console/approvals';

const ends: Readonly<Record<QueueItem['state'], string>> = {
  pending: 'Waiting', approved: 'Approved', denied: 'Denied', expired: 'Time ran out', withdrawn: 'Withdrawn', superseded: 'Replaced', stale: 'Decided again',
};

/** How earlier requests ended. */
export function PastRequests({ items }: { readonly items: readonly QueueItem[] }) {
  if (items.length === 0) return null;
  return (
    <Section title="Earlier" note={`${items.length}`}>
      <div className="scroll-x" tabIndex={0} role="group" aria-label="Earlier requests">
        <Table caption="Earlier requests, newest first">
          <thead><tr><Th>Action</Th><Th>Agent</Th><Th>Held</Th><Th>End</Th></tr></thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.id}>
                <td><code>{item.title}</code> <ViewSentence parts={item.subject} /></td>
                <td><UntrustedText text={item.agent} /></td>
                <td><Time at={item.held_at} form="date" /></td>
                <td>{ends[item.state]}{item.resolved_at === null ? null : <span className="t3"> <Time at={item.resolved_at} form="clock" /></span>}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
    </Section>
  );
}
