'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';

import { Button } from '@/components/ui/button';
import { DecisionMark } from '@/components/ui/decision-mark';
import { Icon, type IconName } from '@/components/ui/icon';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { shownFault } from '@/lib/client/parse-answer';
import { sessionTimelineQuery } from '@/lib/client/receipt-queries';
import type { TimelineEntry, TimelineItem } from '@/lib/contracts/console/session-timeline';

import { decisionOf, kindWords } from './receipt-words';

interface SessionAroundProps {
  readonly session: string;
  readonly index: number;
  readonly onOpen: (id: string) => void;
}

/** What the session knew and did before and after the receipt, as far as one asks for it. */
export function SessionAround({ session, index, onOpen }: SessionAroundProps) {
  const { data, error, refetch, hasNextPage, hasPreviousPage, fetchNextPage, fetchPreviousPage, isFetching } = useInfiniteQuery(sessionTimelineQuery(session, index));
  const items = (data?.pages ?? []).flatMap((page) => page.items);
  return (
    <Section title="The session around it" note={<Link className="link" href={`/sessions/${session}`}>Whole session</Link>} level={3}>
      {data === undefined ? (error === null ? <LoadingRows what="the session" rows={4} /> : <ErrorState title="The session could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>) : (
        <>
          {hasPreviousPage ? <Button small kind="plain" offBecause={isFetching ? 'Reading' : undefined} onClick={() => void fetchPreviousPage()}>Earlier</Button> : null}
          <ol className="tl">{items.map((item) => <Item key={item.of === 'receipt' ? item.row.id : `step ${String(item.seq)}`} item={item} index={index} onOpen={onOpen} />)}</ol>
          {hasNextPage ? <Button small kind="plain" offBecause={isFetching ? 'Reading' : undefined} onClick={() => void fetchNextPage()}>Later</Button> : null}
        </>
      )}
    </Section>
  );
}

function Item({ item, index, onOpen }: { readonly item: TimelineItem; readonly index: number; readonly onOpen: (id: string) => void }) {
  if (item.of === 'context') return <Step entry={item} />;
  const { row } = item;
  const decision = decisionOf(row);
  const current = row.index === index;
  const what = <>{row.tool === null ? null : <code>{row.tool}.{row.operation} </code>}{kindWords(row.kind)}</>;
  return (
    <li aria-current={current ? 'step' : undefined}>
      <Time at={row.at} form="clock" />
      {decision === undefined ? <Icon name="receipts" className="t2" /> : <DecisionMark decision={decision} />}
      <span>{current ? <span className="now">{what}</span> : <button type="button" className="link" onClick={() => onOpen(row.id)}>{what}</button>} <span className="t3 num">{row.index.toLocaleString('en')}</span></span>
    </li>
  );
}

const icons: Readonly<Record<string, IconName>> = { request: 'person', permit: 'key', outcome: 'tool', attribute: 'service', inherited: 'link', delegation: 'session' };
/** Longer texts are read in the session. */
const shownLength = 240;

function Step({ entry }: { readonly entry: TimelineEntry }) {
  const text = entry.text ?? '';
  return (
    <li>
      <Time at={entry.at} form="clock" />
      <Icon name={icons[entry.kind] ?? 'dash'} className="t2" />
      <span>
        {kindWords(entry.kind)}{entry.text === null ? <span className="t3"> Its text was erased.</span> : null}
        {text === '' ? null : <><br /><span className={entry.untrusted ? 'hatched-line' : 't3'}>“<UntrustedText text={text.slice(0, shownLength)} />{text.length > shownLength ? `… ${text.length.toLocaleString('en')} characters` : ''}”{entry.untrusted ? ' unverified' : ''}</span></>}
        {entry.labels.length === 0 ? null : <span className="t3"> {entry.labels.join(', ')}</span>}
      </span>
    </li>
  );
}
