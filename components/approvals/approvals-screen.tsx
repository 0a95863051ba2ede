'use client';

import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useEffect, useRef, useState } from 'react';

import { KeysDialog } from '@/components/ui/keys-dialog';
import { EmptyState } from '@/components/ui/pane-states';
import { DetailBlank, TwoPane } from '@/components/layout/two-pane';
import { approvalsUrl, queueQueryOf } from '@/lib/client/approvals-url';
import { useLive } from '@/lib/client/live-provider';
import { shownFault } from '@/lib/client/parse-answer';
import { queueListQuery } from '@/lib/client/queries';
import { searchText } from '@/lib/client/search-text';
import { useClockOffset } from '@/lib/client/use-clock-offset';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import { useSteadyList } from '@/lib/client/use-steady-list';

import { ApprovalDetail } from './approval-detail';
import { approvalKeys } from './approval-keys';
import type { ApprovalsViewer } from './approvals-viewer';
import { itemTitleId } from './approval-evidence';
import type { Decided } from './decision-dialogs';
import { QueuePane } from './queue-pane';

/** Queue on the left, the decision on the right; on a phone one after the other. */
export function ApprovalsScreen({ viewer }: { readonly viewer: ApprovalsViewer }) {
  const [url, setUrl] = useQueryStates(approvalsUrl, { history: 'replace' });
  const query = queueQueryOf(url);
  const { data: view, error, refetch } = useQuery(queueListQuery(query));
  const live = useLive().state !== 'lost';
  const offsetMs = useClockOffset(view?.now ?? '');
  const list = useSteadyList(view?.items, searchText(query));
  const [last, setLast] = useState<Decided | null>(null);
  const [help, setHelp] = useState(false);
  const filter = useRef<HTMLInputElement>(null);
  const focusNext = useRef(false);

  const ids = (list.rows ?? []).map(({ item }) => item.id);
  const selected = url.item ?? ids[0] ?? null;
  const hrefOf = (id: string) => `/approvals?${searchText({ item: id, tab: url.tab === 'waiting' ? undefined : url.tab, text: url.text || undefined, impact: url.impact ?? undefined })}`;
  const select = (id: string | null) => void setUrl({ item: id });

  function move(step: 1 | -1) {
    const next = ids[Math.min(ids.length - 1, Math.max(0, ids.findIndex((id) => id === selected) + step))];
    if (next === undefined) return;
    select(next);
    document.querySelector(`[data-row="${next}"]`)?.scrollIntoView({ block: 'nearest' });
  }
  function decided(what: Decided) {
    const at = ids.findIndex((id) => id === what.id);
    setLast(what);
    focusNext.current = true;
    select(ids[at + 1] ?? ids[at - 1] ?? null);
    if (what.verdict === 'ask' || what.verdict === 'edit' || what.outcome.state !== 'pending') list.drop(what.id);
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    n: list.accept,
    Enter: () => document.getElementById(itemTitleId)?.focus(),
    '/': () => filter.current?.focus(),
    '?': () => setHelp(true),
  });

  // Outside system: focus. After a decision it goes to the next request, wherever that has come from.
  useEffect(() => {
    if (!focusNext.current) return;
    const title = document.getElementById(itemTitleId) ?? document.getElementById('content');
    title?.focus();
    if (title?.id === itemTitleId) focusNext.current = false;
  });

  return (
    <>
      <TwoPane
        pane={url.item === null ? 'list' : 'detail'}
        list={
          <QueuePane
            tab={url.tab} rows={list.rows} arrived={list.arrived} view={view} fault={error === null ? null : shownFault(error)} selected={selected}
            text={url.text} filterRef={filter} hrefOf={hrefOf} offsetMs={offsetMs} live={live} last={last} readsReceipts={viewer.readsReceipts}
            onText={(text) => void setUrl({ text, item: null })} onSelect={select} onAccept={list.accept} onRetry={() => void refetch()}
          />
        }
        detail={
          selected === null
            ? <DetailBlank><EmptyState title={list.rows === null ? 'Reading the list.' : 'Nothing is selected.'}>{list.rows === null ? null : 'A request that you pick from the list is shown here in full.'}</EmptyState></DetailBlank>
            : <ApprovalDetail key={selected} id={selected} viewer={viewer} backHref={hrefOf('').replace(/item=&?/, '')} onDecided={decided} />
        }
      />
      {help ? <KeysDialog keys={approvalKeys} onClose={() => setHelp(false)} /> : null}
    </>
  );
}
