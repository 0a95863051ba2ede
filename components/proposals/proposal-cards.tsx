import { EmptyState } from '@/components/ui/pane-states';
import { Icon } from '@/components/ui/icon';
import { ListCard } from '@/components/ui/list-card';
import { RowsHead } from '@/components/ui/queue-row';
import { Ring } from '@/components/ui/ring';
import { Time } from '@/components/ui/time';
import type { ProposalCard, ProposalsView } from '@/lib/contracts/console/proposals';

import { ClassMark } from './class-mark';
import { isSignable, isStale, makerWords, proposalName, whatWords } from './proposal-words';

interface ProposalCardsProps {
  readonly view: ProposalsView;
  readonly selected: string | null;
  /** In the order in which they were picked; null: nobody picks. */
  readonly picked: readonly string[] | null;
  readonly onPick: (id: string) => void;
}

/** Proposals as cards: those that need signatures, those that cannot be signed as they are, and those that have ended. */
export function ProposalCards({ view, selected, picked, onPick }: ProposalCardsProps) {
  const { ready, stuck, ended } = groupedCards(view);
  if (ready.length + stuck.length + ended.length === 0) return <EmptyState title="Nothing is proposed.">Write a change in the editor. Agents propose theirs by themselves.</EmptyState>;
  const row = (card: ProposalCard) => <Card key={card.id} card={card} current={card.id === selected} inForce={view.in_force?.revision ?? null} place={picked?.indexOf(card.id) ?? null} onPick={onPick} />;
  return (
    <>
      {ready.length === 0 ? null : <><RowsHead title="Needs signatures" right="Owners" />{ready.map(row)}</>}
      {stuck.length === 0 ? null : <><RowsHead title="Can’t be signed" />{stuck.map(row)}</>}
      {ended.length === 0 ? null : <><RowsHead title="Ended" />{ended.map(row)}</>}
    </>
  );
}

/** In the order in which the list shows them. */
export function groupedCards({ live, ended }: ProposalsView) {
  return { ready: live.filter(isSignable), stuck: live.filter((card) => !isSignable(card)), ended };
}

interface CardProps {
  readonly card: ProposalCard;
  readonly current: boolean;
  readonly inForce: number | null;
  /** -1: not picked; null: nobody picks. */
  readonly place: number | null;
  readonly onPick: (id: string) => void;
}

function Card({ card, current, inForce, place, onPick }: CardProps) {
  const name = proposalName(card);
  // Policies follow each other in one statement; what is for something else is signed by itself.
  const picking = place !== null && isSignable(card) && card.target === 'policy';
  return (
    <div className={picking ? 'card-pick' : undefined}>
      {picking ? (
        <label className="order-pick">
          <input type="checkbox" checked={place >= 0} onChange={() => onPick(card.id)} aria-label={place >= 0 ? `${name}, number ${String(place + 1)} in order` : `Sign ${name} too`} />
          <span className="num" aria-hidden>{place >= 0 ? place + 1 : ''}</span>
        </label>
      ) : null}
      <ListCard
        href={card.target === 'allowlist' ? `/policies/guards?proposal=${card.id}` : `/policies?proposal=${card.id}`} current={current} name={name} right={<Standing card={card} />} what={`${makerWords(card)}. ${whatWords(card)}`}
        foot={<Foot card={card} inForce={inForce} />} when={<Time at={card.ended_at ?? card.at} focusable={false} />}
      />
    </div>
  );
}

const endings = { rejected: 'Rejected', withdrawn: 'Withdrawn' } as const;

function Standing({ card }: { readonly card: ProposalCard }) {
  if (isStale(card)) return <span className="kind kind-stale"><Icon name="stale" small />{card.target === 'grant' ? 'Run out' : 'Stale'}</span>;
  if (card.state === 'rejected' || card.state === 'withdrawn') return <span className="t3">{endings[card.state]}</span>;
  if (card.applicable === false) return <span className="kind kind-stale"><Icon name="cross" small />Red</span>;
  return <Ring signed={card.signed} of={Math.max(card.needed, card.state === 'applied' ? card.signed : 0)} />;
}

function Foot({ card, inForce }: { readonly card: ProposalCard; readonly inForce: number | null }) {
  if (isStale(card) && card.target === 'grant') return 'What it asks for has run out';
  if (isStale(card)) return <>Written on {card.base === null ? 'nothing' : `r${String(card.base.revision)}`}, now {inForce === null ? 'nothing' : `r${String(inForce)}`}</>;
  if (card.change === null && card.ended_at !== null) return 'Ended before it was proved';
  return <><ClassMark change={card.change} />{card.state === 'applied' && card.revision !== null ? ` · came into force as r${String(card.revision)}` : card.rests_on === 'proposal' ? ' · after another proposal' : ''}</>;
}
