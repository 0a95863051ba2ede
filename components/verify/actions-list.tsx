'use client';

import { useState } from 'react';

import { DecisionChip } from '@/components/ui/decision-chip';
import { Select } from '@/components/ui/field';
import { LoadingRows } from '@/components/ui/pane-states';
import { Pairing, type PairingProps } from '@/components/ui/pairing';
import { Table, Th } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { storyFilters, type StoryFilter } from '@/lib/client/verify-messages';
import type { ActionStory } from '@/lib/verify/action-stories';
import { pairingWords } from '@/lib/verify/pairing-words';

import { decisionKind } from './decision-of';
import { Pager } from './pager';
import type { ListProps } from './receipts-list';
import { pageLength, useAsked } from './use-page';

const filterWords: { readonly [F in StoryFilter]: string } = { all: 'All actions', broken: 'Not holding together', open: 'Still open' };

/** Who wanted what, what was decided, who approved it, and what became of it. */
export function ActionsList({ link, run, selected, onSelect }: ListProps) {
  const [show, setShow] = useState<StoryFilter>('all');
  const [from, setFrom] = useState(0);
  const { data } = useAsked<'stories'>(link, run, { kind: 'stories', from, count: pageLength, show });
  return (
    <div className="browse-list">
      <div className="browse-h">
        <label className="pick-line">Show <Select value={show} onChange={(event) => { setShow(storyFilters.find((known) => known === event.target.value) ?? 'all'); setFrom(0); }}>{storyFilters.map((filter) => <option key={filter} value={filter}>{filterWords[filter]}</option>)}</Select></label>
        <Pager from={from} total={data?.total ?? 0} what="actions" onFrom={setFrom} />
      </div>
      {data === undefined ? <LoadingRows what="actions" rows={10} /> : (
        <div className="scroll-x">
          <Table caption="Actions and what became of them" variant="ledger" className="stories-found" rowCount={data.total + 1}>
            <thead><tr><Th className="width-xs">No.</Th><Th className="width-s">Time</Th><Th className="width-xl">Agent, for whom</Th><Th>Action</Th><Th className="width-m">Decision</Th><Th className="width-l">Approved by</Th><Th className="width-s">Paired</Th><Th className="width-l">Verdict</Th></tr></thead>
            <tbody>{data.stories.map((story) => <Row key={story.action} story={story} selected={selected !== null && story.receipts.includes(selected)} onSelect={onSelect} />)}</tbody>
          </Table>
        </div>
      )}
    </div>
  );
}

function Row({ story, selected, onSelect }: { readonly story: ActionStory; readonly selected: boolean; readonly onSelect: (index: number) => void }) {
  const decision = decisionKind(story.decision);
  const { title, means } = pairingWords[story.pairing.verdict];
  // What is broken is looked at where it breaks.
  const target = story.pairing.broken ? story.pairing.index : story.index;
  return (
    <tr aria-selected={selected} onClick={() => onSelect(target)}>
      <td data-col="no">{story.index.toLocaleString('en')}</td>
      <td data-col="at"><Time at={story.at} form="clock" focusable={false} /></td>
      <td data-col="who">{story.agent === null ? <span className="t3">not in the file</span> : <><UntrustedText text={story.agent} />{story.human === null ? null : <span className="t3">, <UntrustedText text={story.human} /></span>}</>}</td>
      <td data-col="what"><button type="button" className="row-link" onClick={(event) => { event.stopPropagation(); onSelect(target); }}><span className="vh">Action from receipt {target}, </span><b>{story.operation === null ? 'unknown' : <UntrustedText text={story.operation} />}</b></button></td>
      <td data-col="decision">{decision === undefined ? <span className="t3">–</span> : <DecisionChip decision={decision} />}</td>
      <td data-col="votes">{story.votes.length === 0 ? <span className="t3">{story.quorum === null ? '–' : `0 of ${story.quorum}`}</span> : story.votes.map(({ person, verdict, index }, at) => <span key={index}>{at === 0 ? '' : ', '}<UntrustedText text={person} />{verdict === 'deny' ? ' (denied)' : ''}</span>)}</td>
      <td data-col="paired"><Pairing {...pairedOf(story)} /></td>
      <td data-col="verdict" data-state={story.pairing.broken ? 'fail' : 'pass'} title={means}>{title}</td>
    </tr>
  );
}

function pairedOf({ quorum, votes, permit, outcome, pairing }: ActionStory): PairingProps {
  const refused = votes.some(({ verdict }) => verdict === 'deny');
  const signed = votes.some(({ verdict }) => verdict === 'approve');
  const approval = quorum === null ? 'not_needed' : refused ? 'refused' : signed ? 'signed' : pairing.verdict === 'held' ? 'waiting' : 'lapsed';
  return { approval, outcome: outcome !== null ? 'recorded' : permit === 'redeemed' ? 'waiting' : 'not_run' };
}
