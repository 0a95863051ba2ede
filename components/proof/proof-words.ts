import type { decisionKinds } from '@/lib/mediate/catalogue';
import type { ChangeEffect, Comparison, Witness } from '@/lib/policy/compare/comparison';
import type { NotReplayedReason, ReplayReport } from '@/lib/policy/replay-report';
import { canonicalJson } from '@/lib/shared/canonical-json';

const counted = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
const sentence = (parts: readonly string[]): string => parts.join(', ').replace(/, ([^,]*)$/, ' and $1');

export const effectWords = (effects: readonly ChangeEffect[]): string => sentence(effects.map((effect) => ({ loosens: 'loosens', tightens: 'tightens', moves: 'others decide' })[effect]));

/** How many groups go which way, and whether that is all. */
export function comparisonWords({ changes, further, exhaustive, counted: { classes, operations, unchanged_operations: unchanged } }: Comparison): string {
  const of = (effect: ChangeEffect): number => changes.filter(({ effects }) => effects.includes(effect)).length;
  const ways = [
    of('loosens') > 0 ? `${counted(of('loosens'), 'group')} ${of('loosens') === 1 ? 'loosens' : 'loosen'}` : 'none loosens',
    of('tightens') > 0 ? `${String(of('tightens'))} ${of('tightens') === 1 ? 'tightens' : 'tighten'}` : 'none tightens',
    ...(of('moves') > 0 ? [`${String(of('moves'))} ${of('moves') === 1 ? 'goes' : 'go'} to others to decide`] : []),
  ];
  const found = changes.length === 0 ? 'No decision changes.' : `${capital(sentence(ways))}.${further > 0 ? ` ${counted(further, 'more change is', 'more changes are')} counted and not listed.` : ''}`;
  const searched = `All ${classes.toLocaleString('en')} classes of actions that the two texts tell apart were decided under both, in ${counted(operations, 'operation')}; nothing about the other ${unchanged.toLocaleString('en')} operations changes.`;
  return exhaustive ? `${found} ${searched}${changes.length === 0 ? '' : ' There is no other difference.'}` : `${found} The search did not cover everything: what is missing stands below.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** An action in one line: what stands in it is the engine's own example. */
export function witnessText({ tool, operation, parameters }: Witness['action']): string {
  const said = Object.entries(parameters).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : canonicalJson(value)}`).join(', ');
  return `${tool}.${operation} ${said}`.trim();
}

/** What a replay says in a sentence or two. */
export function replayWords({ transitions, newly_allowed: allowed, newly_stopped: stopped, unattended, other_terms: terms, decisions }: Pick<ReplayReport, 'transitions' | 'newly_allowed' | 'newly_stopped' | 'other_terms' | 'decisions'> & { readonly unattended?: ReplayReport['unattended'] }): readonly string[] {
  if (decisions === 0) return ['No decision was made in this time.'];
  const asked = transitions.filter(({ now, then }) => now === 'DENY' && (then === 'STEP_UP' || then === 'DEFER')).reduce((sum, { count }) => sum + count, 0);
  const said = [
    ...(allowed > 0 ? [`${counted(allowed, 'action')} that ${allowed === 1 ? 'was' : 'were'} stopped or asked about would run unattended.`] : []),
    ...(asked > 0 ? [`${counted(asked, 'action')} that ${asked === 1 ? 'was' : 'were'} stopped would be asked about.`] : []),
    ...(stopped > 0 ? [`${counted(stopped, 'action')} that ran would be stopped or asked about.`] : []),
    ...(terms > 0 ? [`${counted(terms, 'decision')} would be the same on other terms.`] : []),
  ];
  if (unattended && unattended.denied > 0) said.push(`People had denied ${counted(unattended.denied, 'of those that would run', 'of those that would run')}.`);
  if (unattended && unattended.approved > 0) said.push(`People had approved ${counted(unattended.approved, 'of them', 'of them')}.`);
  return said.length === 0 ? ['Every decision comes out as it does now.'] : said;
}

export const notReplayedShort: { readonly [Why in NotReplayedReason]: string } = {
  not_asked: 'the engine had not been asked', erased: 'erased', altered: 'altered', other_version: 'of another engine version', not_recorded: 'without the evidence that the proposal reads', unreadable: 'unreadable',
};

export const kindsShown = ['ALLOW', 'DENY', 'MODIFY', 'STEP_UP', 'DEFER'] as const satisfies readonly (typeof decisionKinds)[number][];

