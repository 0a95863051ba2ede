import type { ReactNode } from 'react';

import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { decisionWord } from '@/components/ui/decision-kind';
import type { JudgedAction } from '@/lib/client/judge-action';
import type { ReceiptDetail, ReceiptRow } from '@/lib/contracts/console/receipts';
import { pairingWords } from '@/lib/verify/pairing-words';
import { ofKind } from '@/lib/verify/parse-entries';

import { decisionOf, kindWords } from './receipt-words';

interface ActionStoryProps {
  readonly detail: ReceiptDetail;
  readonly judged: JudgedAction;
  readonly onOpen: (id: string) => void;
}

/** Decision, approval, permit and outcome of the action, with the verdict that this browser reached over all of its receipts. */
export function ActionStory({ detail, judged, onOpen }: ActionStoryProps) {
  const { related, row } = detail;
  if (judged.pairing === null || related.length === 0) return null;
  const words = pairingWords[judged.pairing.verdict];
  return (
    <Section title="Decision, approval, outcome" note={<b className={judged.pairing.broken ? 'bad' : undefined}>{words.title}</b>} level={3}>
      <div className="triple">
        <Decided judged={judged} />
        <Approved judged={judged} detail={detail} />
        <Ran judged={judged} />
      </div>
      <p className="meta2 mt-4">{words.means}</p>
      <ol className="story" aria-label="Receipts of the action">
        {related.map((one) => <Step key={one.id} row={one} current={one.id === row.id} onOpen={onOpen} />)}
      </ol>
    </Section>
  );
}

function Step({ row, current, onOpen }: { readonly row: ReceiptRow; readonly current: boolean; readonly onOpen: (id: string) => void }) {
  const decision = decisionOf(row);
  const what = <>{kindWords(row.kind)}{decision === undefined ? null : `, ${decisionWord[decision]}`}</>;
  const who = row.person_name ?? row.person;
  return (
    <li aria-current={current ? 'step' : undefined}>
      <span className="no">{row.index.toLocaleString('en')}</span>
      <span>{current ? <b>{what}</b> : <button type="button" className="link" onClick={() => onOpen(row.id)}>{what}</button>}{who === null ? null : <span className="t3"> <UntrustedText text={who} /></span>}</span>
      <span className="t3"><Time at={row.at} form="clock" /></span>
    </li>
  );
}

const numbers = (indexes: readonly number[]): string => indexes.map((index) => index.toLocaleString('en')).join(', ');

function Cell({ title, indexes, children }: { readonly title: string; readonly indexes: readonly number[]; readonly children: ReactNode }) {
  return <div><h4>{title}</h4>{indexes.length === 0 ? null : <><b className="num">{numbers(indexes)}</b><br /></>}<span className="t2">{children}</span></div>;
}

function Decided({ judged }: { readonly judged: JudgedAction }) {
  const decisions = ofKind(judged.entries, 'action_decided');
  const last = decisions.at(-1);
  if (!last) return <Cell title="Decided" indexes={[]}>Not among these receipts</Cell>;
  const { decision, at, approval } = last.predicate;
  return (
    <Cell title={decisions.length > 1 ? `Decided ${decisions.length} times` : 'Decided'} indexes={[last.index]}>
      <Time at={at} form="clock" /><br />{decisionWord[decision]}{approval === undefined ? '' : `, quorum ${approval.quorum}`}
    </Cell>
  );
}

function Approved({ judged, detail }: { readonly judged: JudgedAction; readonly detail: ReceiptDetail }) {
  const votes = ofKind(judged.entries, 'approval_voted');
  const requests = ofKind(judged.entries, 'approval_requested');
  const resolved = ofKind(judged.entries, 'approval_resolved').at(-1)?.predicate;
  if (requests.length === 0) return <Cell title="Approved" indexes={[]}>Nobody was asked</Cell>;
  const nameOf = (index: number) => detail.related.find((row) => row.index === index)?.person_name ?? 'Somebody';
  const title = resolved?.state === 'denied' ? 'Refused' : resolved?.state === 'approved' ? 'Approved' : 'Asked';
  return (
    <Cell title={title} indexes={votes.length === 0 ? requests.map(({ index }) => index) : votes.map(({ index }) => index)}>
      {votes.map(({ index, predicate }) => <span key={index}>{nameOf(index)} <Time at={predicate.at} form="clock" /><br /></span>)}
      {votes.length > 0 ? null : resolved === undefined ? 'Nobody has voted yet' : `Ended ${resolved.state}`}
    </Cell>
  );
}

function Ran({ judged }: { readonly judged: JudgedAction }) {
  const redeemed = ofKind(judged.entries, 'permit_redeemed');
  const outcomes = ofKind(judged.entries, 'outcome_reported');
  const outcome = outcomes.at(-1);
  if (redeemed.length === 0) return <Cell title="Ran" indexes={[]}>Not run</Cell>;
  return (
    <Cell title="Ran" indexes={outcomes.length === 0 ? redeemed.map(({ index }) => index) : outcomes.map(({ index }) => index)}>
      <Time at={(outcome ?? redeemed.at(-1))?.predicate.at ?? ''} form="clock" />{redeemed.length === 1 ? ', once' : `, ${redeemed.length} times`}<br />
      {outcome === undefined ? 'No outcome yet' : outcome.predicate.status === 'unknown' ? 'Nobody knows what came of it' : `${outcome.predicate.status}${outcome.predicate.late ? ', late' : ''}`}
    </Cell>
  );
}
