'use client';

import type { MouseEvent, RefObject } from 'react';

import { Button } from '@/components/ui/button';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { RowsHead } from '@/components/ui/queue-row';
import { SearchField } from '@/components/ui/search-field';
import { Tabs } from '@/components/ui/tabs';
import { Time } from '@/components/ui/time';
import { ListPane } from '@/components/layout/two-pane';
import type { ApprovalTab } from '@/lib/client/approvals-url';
import type { SteadyRow } from '@/lib/client/steady-list';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { QueueItem, QueueView } from '@/lib/contracts/console/approvals';

import type { Decided } from './decision-dialogs';
import { HeldRow } from './held-row';
import { LastDecision } from './last-decision';

interface QueuePaneProps {
  readonly tab: ApprovalTab;
  readonly rows: readonly SteadyRow<QueueItem>[] | null;
  readonly arrived: number;
  readonly view: QueueView | undefined;
  readonly fault: ShownFault | null;
  readonly selected: string | null;
  readonly text: string;
  readonly filterRef: RefObject<HTMLInputElement | null>;
  readonly hrefOf: (id: string) => string;
  readonly offsetMs: number;
  readonly live: boolean;
  readonly last: Decided | null;
  readonly readsReceipts: boolean;
  readonly onText: (text: string) => void;
  readonly onSelect: (id: string) => void;
  readonly onAccept: () => void;
  readonly onRetry: () => void;
}

const keys = [{ keys: ['J', 'K'], does: 'move' }, { keys: ['A'], does: 'approve' }, { keys: ['D'], does: 'deny' }, { keys: ['?'], does: 'all keys' }];

/** The list of requests: tabs, filter, rows. What arrives waits behind a button, so that no row moves under a pointer. */
export function QueuePane({ filterRef, ...props }: QueuePaneProps) {
  const { tab, rows, view, arrived } = props;
  const oldest = tab === 'waiting' ? view?.items.map(({ held_at }) => held_at).sort()[0] : undefined;
  return (
    <ListPane
      title="Approvals"
      aside={oldest === undefined ? undefined : <>Oldest held <Time at={oldest} offsetMs={props.offsetMs} /></>}
      tabs={
        <Tabs
          label="Requests"
          tabs={[
            { href: '/approvals', label: 'To approve', count: view?.counts.waiting, current: tab === 'waiting' },
            { href: '/deferrals', label: 'Deferred' },
            { href: '/approvals?tab=decided', label: 'Decided', current: tab === 'decided' },
          ]}
        />
      }
      tools={
        <>
          <SearchField ref={filterRef} label="Filter requests" hint="/" placeholder="Filter by agent, tool or person" value={props.text} onChange={(event) => props.onText(event.target.value)} />
          {arrived === 0 ? null : <Button small hint="N" onClick={props.onAccept}>{arrived} new</Button>}
        </>
      }
      label={tab === 'waiting' ? 'Held actions, soonest to be denied first' : 'Decided requests, newest first'}
      foot={props.last === null ? 'At zero a held action is denied, and the denial gets a receipt.' : <LastDecision decided={props.last} readsReceipts={props.readsReceipts} />}
      keys={keys}
    >
      <p className="vh" role="status">{arrived === 0 ? '' : `${arrived} new`}</p>
      {props.fault === null ? null : <ErrorState title="The list could not be read." code={props.fault.code} action={<Button small onClick={props.onRetry}>Read again</Button>}>{props.fault.detail} What is shown may be old.</ErrorState>}
      {rows === null ? (props.fault === null ? <LoadingRows what="held actions" /> : null) : rows.length === 0 ? <NothingHere tab={tab} text={props.text} onText={props.onText} view={view} /> : <Rows {...props} rows={rows} />}
    </ListPane>
  );
}

function Rows({ tab, rows, view, selected, hrefOf, offsetMs, live, onSelect }: Omit<QueuePaneProps, 'filterRef'> & { readonly rows: readonly SteadyRow<QueueItem>[] }) {
  // A plain click selects at once, without asking the server for the page again; the link stays a link for everything else.
  function select(event: MouseEvent, id: string) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    onSelect(id);
  }
  return (
    <>
      <RowsHead title={tab === 'waiting' ? 'Soonest to be denied first' : 'Newest first'} {...(tab === 'waiting' ? { right: 'Time left' } : {})} />
      {rows.map(({ item, gone }) => (
        <div key={item.id} data-row={item.id} onClickCapture={(event) => select(event, item.id)}>
          <HeldRow item={item} gone={gone} href={hrefOf(item.id)} current={item.id === selected} offsetMs={offsetMs} live={live} />
        </div>
      ))}
      {view === undefined || view.next === null ? null : <p className="rows-h"><span>More are held than are shown. Filter to see the others.</span></p>}
    </>
  );
}

function NothingHere({ tab, text, onText, view }: Pick<QueuePaneProps, 'tab' | 'text' | 'onText' | 'view'>) {
  if (text !== '' && !(tab === 'waiting' && view?.counts.waiting === 0)) {
    return (
      <EmptyState title="The filter hides everything." action={<Button small onClick={() => onText('')}>Clear the filter</Button>}>
        {tab === 'waiting' ? `${view?.counts.waiting ?? 0} held in all.` : 'No decided request matches.'}
      </EmptyState>
    );
  }
  return tab === 'waiting'
    ? <EmptyState title="Nothing waits for you.">A held action appears here by itself, the soonest to be denied first.</EmptyState>
    : <EmptyState title="Nothing was decided yet.">Requests that were approved, denied, withdrawn or ran out of time are kept here.</EmptyState>;
}
