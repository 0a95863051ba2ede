'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryStates } from 'nuqs';
import { useRef } from 'react';

import { Button } from '@/components/ui/button';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { QueueRow } from '@/components/ui/queue-row';
import { SearchField } from '@/components/ui/search-field';
import { Tabs } from '@/components/ui/tabs';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { DetailBlank, ListPane, TwoPane } from '@/components/layout/two-pane';
import { useLive } from '@/lib/client/live-provider';
import { waitsForWords } from '@/lib/client/deferral-words';
import { shownFault } from '@/lib/client/parse-answer';
import { deferralsQuery } from '@/lib/client/queries';
import { useClockOffset } from '@/lib/client/use-clock-offset';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import type { PersonId } from '@/lib/shared/ids';
import type { DeferralItem } from '@/lib/contracts/console/deferrals';

import { DeferralDetail, zeroWords } from './deferral-detail';

const url = { item: parseAsString, text: parseAsString.withDefault('') };

/** Actions that wait for facts: what is missing, and who can supply it. */
export function DeferralsScreen({ person }: { readonly person: PersonId }) {
  const [{ item, text }, setUrl] = useQueryStates(url, { history: 'replace' });
  const { data, error, refetch } = useQuery(deferralsQuery());
  const live = useLive().state !== 'lost';
  const offsetMs = useClockOffset(data?.now ?? '');
  const filter = useRef<HTMLInputElement>(null);
  const rows = data?.items.filter((row) => matches(row, text)) ?? null;
  const at = rows?.findIndex(({ id }) => id === item) ?? -1;
  const selected = (at < 0 ? rows?.[0] : rows?.[at]) ?? null;
  const move = (step: 1 | -1) => {
    const next = rows?.[Math.min(rows.length - 1, Math.max(0, Math.max(0, at) + step))];
    if (next) void setUrl({ item: next.id });
  };
  const linkOf = (action: DeferralItem['action']) => {
    const other = data?.items.find((row) => row.action === action);
    return other ? `/deferrals?item=${other.id}` : null;
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), '/': () => filter.current?.focus() });

  return (
    <TwoPane
      pane={item === null ? 'list' : 'detail'}
      list={
        <ListPane
          title="Approvals"
          tabs={<Tabs label="Requests" tabs={[{ href: '/approvals', label: 'To approve' }, { href: '/deferrals', label: 'Deferred', count: data?.items.length, current: true }, { href: '/approvals?tab=decided', label: 'Decided' }]} />}
          tools={<SearchField ref={filter} label="Filter deferred actions" hint="/" placeholder="Filter by agent, tool or missing fact" value={text} onChange={(event) => void setUrl({ text: event.target.value })} />}
          label="Deferred actions, soonest to end first"
          foot="A deferred action isn’t waiting for a yes. It’s waiting for facts or for what is before it, then policy decides again."
          keys={[{ keys: ['J', 'K'], does: 'move' }, { keys: ['S'], does: 'supply' }]}
        >
          {error === null ? null : <ErrorState title="The list could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
          {rows === null ? (error === null ? <LoadingRows what="deferred actions" /> : null) : rows.length > 0 ? rows.map((row) => (
            <QueueRow
              key={row.id} href={`/deferrals?item=${row.id}`} current={row.id === selected?.id} decision="DEFER" operation={row.title}
              object={<UntrustedText text={waitsForWords(row)} />}
              by={<><UntrustedText text={row.agent} /> · since <Time at={row.deferred_at} form="clock" focusable={false} /></>}
              right={[row.approval !== null ? 'conflict' : row.missing.length > 0 ? `${row.missing.length} missing` : 'in line', row.blocks.length === 0 ? '' : `blocks ${row.blocks.length}`]}
              deadline={{ at: row.expires_at, since: row.deferred_at, atZero: zeroWords[row.at_timeout] }} offsetMs={offsetMs} live={live}
            />
          )) : text === '' || data?.items.length === 0 ? (
            <EmptyState title="Nothing is deferred.">An action whose rule reads a fact that nobody has supplied appears here, and whatever stands behind it.</EmptyState>
          ) : (
            <EmptyState title="The filter hides everything." action={<Button small onClick={() => void setUrl({ text: '' })}>Clear the filter</Button>}>{data?.items.length ?? 0} deferred in all.</EmptyState>
          )}
        </ListPane>
      }
      detail={selected === null ? <DetailBlank><EmptyState title={rows === null ? 'Reading the list.' : 'Nothing is selected.'}>{rows === null ? null : 'What you pick from the list is shown here: what is missing, who can supply it, and what waits behind it.'}</EmptyState></DetailBlank> : <DeferralDetail key={selected.id} item={selected} person={person} offsetMs={offsetMs} live={live} linkOf={linkOf} />}
    />
  );
}

/** By what the row shows, and by whom could supply a fact. */
const matches = (row: DeferralItem, text: string): boolean =>
  [row.title, row.agent, row.human, waitsForWords(row), ...row.missing.flatMap(({ field, suppliers }) => [field, ...suppliers])].some((value) =>
    value.toLowerCase().includes(text.trim().toLowerCase()),
  );
