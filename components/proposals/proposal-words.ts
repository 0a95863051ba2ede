import { scopeWords } from '@/components/signing/scope-words';
import type { ProposalCard, ProposedGrant, TouchedRules } from '@/lib/contracts/console/proposals';

/** Shown as the name of a card: the rules that it touches, or the operation that it asks for, never what somebody calls it. */
export function proposalName({ rules, target, id, grant }: Pick<ProposalCard, 'rules' | 'target' | 'id'> & Partial<Pick<ProposalCard, 'grant'>>): string {
  if (grant) return `${grant.tool}.${grant.operation ?? '*'}`;
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

/** What a grant that is asked for would give, in a sentence. */
export function askedWords({ agent, uses, scope }: ProposedGrant): string {
  const where = scopeWords(scope);
  return `Asks for a grant: ${agent} might use it ${uses === 1 ? 'once' : `${uses.toLocaleString('en')} times`}, ${where.length === 0 ? 'with any arguments' : `where ${where.join(' and ')}`}.`;
}

/** What it asks for, by what it is for. */
export const whatWords = ({ target, grant, rules }: Pick<ProposalCard, 'target' | 'grant' | 'rules'>): string =>
  target === 'allowlist' ? 'Asks for one operation more in a guard directory.' : target === 'grant' ? (grant === null ? 'Asks for a grant.' : askedWords(grant)) : touchedWords(rules);

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
