'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { DecisionChip } from '@/components/ui/decision-chip';
import type { DecisionKind } from '@/components/ui/decision-kind';
import { FactsList } from '@/components/ui/facts-list';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Table, Th } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { Page } from '@/components/layout/board';
import { shownFault } from '@/lib/client/parse-answer';
import { sessionDetailQuery } from '@/lib/client/queries';
import type { PersonId } from '@/lib/shared/ids';
import type { ReceiptRow, SessionDetail } from '@/lib/contracts/console/receipts';

import { SessionEntries } from './session-entries';
import { SessionLabels } from './session-labels';

/** One user's task: what came in, what was decided, in order. */
export function SessionScreen({ id, person }: { readonly id: string; readonly person: PersonId }) {
  const { data, error, refetch } = useQuery(sessionDetailQuery(id));
  if (data === undefined) {
    return (
      <Page title="Session">
        {error === null ? <LoadingRows what="the session" /> : <ErrorState title="The session could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
      </Page>
    );
  }
  return (
    <Page title={<>Session of <UntrustedText text={data.human} /></>} lead={<><code>{data.id}</code><CopyButton value={data.id} what="session id" /></>}>
      <Facts session={data} />
      <SessionLabels id={id} person={person} />
      <SessionEntries entries={data.entries} />
      <Section title="Receipts" note={<Link className="link" href={`/receipts?session=${data.id}`}>{data.receipts.length} in this session</Link>}>
        {data.receipts.length === 0 ? <p className="meta2">None yet.</p> : <Receipts rows={data.receipts} />}
      </Section>
    </Page>
  );
}

function Facts({ session }: { readonly session: SessionDetail }) {
  return (
    <FactsList facts={[
      { label: 'For', value: <UntrustedText text={session.human} /> },
      { label: 'Agent', value: <UntrustedText text={session.agent} /> },
      { label: 'State', value: session.state === 'open' ? 'open' : 'closed' },
      { label: 'Opened', value: <Time at={session.opened_at} form="date" /> },
    ]} />
  );
}

const decisions: readonly DecisionKind[] = ['ALLOW', 'DENY', 'MODIFY', 'STEP_UP', 'DEFER'];

function Receipts({ rows }: { readonly rows: readonly ReceiptRow[] }) {
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label="Receipts of this session">
      <Table caption="Receipts of this session">
        <thead><tr><Th>No.</Th><Th>Time</Th><Th>What</Th><Th>Decision</Th></tr></thead>
        <tbody>
          {rows.map((row) => {
            const decision = decisions.find((kind) => kind === row.decision);
            return (
              <tr key={row.id}>
                <td><Link className="link" href={`/receipts?receipt=${row.id}`} prefetch={false}>{row.index.toLocaleString('en')}</Link></td>
                <td><Time at={row.at} form="clock" /></td>
                <td>{row.tool === null ? null : <code>{row.tool}.{row.operation} </code>}{row.kind.replaceAll('_', ' ')}</td>
                <td>{decision === undefined ? '–' : <DecisionChip decision={decision} />}</td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}
