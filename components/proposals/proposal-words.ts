import type { ProposalCard, TouchedRules } from '@/lib/contracts/console/proposals';

/** Shown as the name of a card: the rules that it touches, never what somebody calls it. */
export function proposalName({ rules, target, id }: Pick<ProposalCard, 'rules' | 'target' | 'id'>): string {
  const all = [...rules.added, ...rules.changed, ...rules.removed];
  const [first] = all;
  if (first === undefined) return target === 'policy' ? `settings · ${id.slice(-6)}` : `${target} · ${id.slice(-6)}`;
  return all.length === 1 ? first : `${first} +${String(all.length - 1)}`;
}

const rulesOf = (count: number): string => (count === 1 ? '1 rule' : `${String(count)} rules`);

/** What it does to the text, counted. */
export function touchedWords({ added, changed, removed }: TouchedRules): string {
  const parts = [
    ...(added.length > 0 ? [`adds ${rulesOf(added.length)}`] : []),
    ...(changed.length > 0 ? [`changes ${rulesOf(changed.length)}`] : []),
    ...(removed.length > 0 ? [`takes away ${rulesOf(removed.length)}`] : []),
  ];
  if (parts.length === 0) return 'Changes no rule by itself: settings, or words only.';
  const text = parts.join(', ').replace(/, ([^,]*)$/, ' and $1');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export const makerWords = ({ maker, origin }: Pick<ProposalCard, 'maker' | 'origin'>): string => {
  if (origin === 'rebase' && maker.kind === 'service') return 'Rebased by the console';
  if (origin === 'suggestion') return `Suggested, put forward by ${maker.name}`;
  return maker.kind === 'agent' ? `Proposed by agent ${maker.name}` : `Proposed by ${maker.name}`;
};

const classes = { tighten: 'Tightens', loosen: 'Loosens', mixed: 'Loosens and tightens', moved_authority: 'Moves who decides', not_proved: 'Not proved, counts as loosening' } as const;

export const classWords = (change: ProposalCard['change']): string => (change === null ? 'Being proved' : classes[change]);

export const isStale = ({ state, rests_on }: Pick<ProposalCard, 'state' | 'rests_on'>): boolean => state === 'stale' || ((state === 'open' || state === 'signed') && rests_on === 'nothing');

/** One that can be signed as it stands, by somebody. */
export const isSignable = (card: Pick<ProposalCard, 'state' | 'rests_on' | 'applicable'>): boolean => (card.state === 'open' || card.state === 'signed') && !isStale(card) && card.applicable !== false;
