import { applyChange, Misfit } from '@/lib/engine/apply-change';
import { hold } from '@/lib/engine/hold';
import { carriesLabel } from '@/lib/engine/label-levels';
import type { Field } from '@/lib/engine/predicate';
import { readAttribute } from '@/lib/engine/read-attribute';
import { readField } from '@/lib/engine/read-field';
import type { Modification, NeededField } from '@/lib/engine/rule';
import type { Situation } from '@/lib/engine/situation';
import { checkParameters } from '@/lib/mediate/check-parameters';
import { deriveFacts } from '@/lib/mediate/facts';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

import { asksOf } from './asks';
import { nearer } from './differences';
import { stepsOf, type Leaf } from './dimensions';
import { subjectsOf } from './draft';
import type { Held, Place } from './place';
import type { Scene } from './scene';

/** In what an option differs from others: two with the same signature are one class. `patterns` stands apart, to see whether all of those were met. */
export type Signature = { readonly rest: string; readonly patterns: string };
export type Sign = (scene: Scene) => Signature;

export function signatureOf(key: string, leaves: readonly Held[], { active, entry, taken, subjects }: Place): Sign {
  // What several arguments show adds up; the impact is that of the worst of it.
  const readsImpact = leaves.some(({ leaf }) => leaf.is === 'test' && leaf.field.of === 'operation' && leaf.field.name === 'impact');
  const shown = [...new Set(leaves.flatMap(({ leaf }) => stepsOf(leaf).flatMap(({ effects }) => effects ?? [])))];
  const isArgument = key.startsWith('parameter ') || key.startsWith('subject ');
  const name = key.startsWith('parameter ') ? key.slice('parameter '.length) : '';
  const lifts = active.some(({ rule }) => rule.classification === 'context_dependent_allow');
  // While another argument may still turn out to be one that cannot be read, whether this one can is no class of its own.
  const readable = Object.entries(entry.parameters).some(([other, { role }]) => role !== undefined && role !== 'target' && role !== 'amount' && other !== name && !taken.has(`parameter ${other}`));
  const changes = name !== '' ? active.flatMap(({ rule }) => rule.modify.filter(({ path }) => path[0] === name)) : [];
  const isLinked = leaves.some(({ leaf }) => leaf.is === 'compare') || (Object.values(entry.parameters).filter(({ role }) => role === 'target').length > 1 && leaves.some(({ leaf }) => leaf.is === 'test' && leaf.field.of === 'operation'));
  const structure = (situation: Situation): string => {
    const { facts } = situation.action;
    const counts = subjects.map((subject) => {
      const [kind, ...rest] = subject.split(' ');
      return Math.min(2, subjectsOf(situation.action, rest.join(' '), kind === 'recipients' ? 'recipients' : 'target').length);
    });
    const impact = readsImpact || facts.impact === 'critical' || (lifts && facts.impact === 'low') ? facts.impact : '';
    return `${readable ? '' : facts.opaque.join(',')} ${impact} ${shown.filter((effect) => facts.effects.includes(effect)).join(',')} ${counts.join(',')} ${subjects.length > 0 ? String(facts.target !== undefined) : ''}`;
  };
  return (scene) => {
    let rest = '';
    let patterns = '';
    for (const { leaf, side } of leaves) {
      const situation = side === 'next' ? scene.next : (scene.base ?? scene.next);
      if (!situation) {
        rest += '-';
        continue;
      }
      const truths = truthsOf(leaf, situation);
      if (isPattern(leaf)) patterns += truths;
      else rest += truths;
    }
    rest += beside(key, name, leaves, scene);
    for (const { rule, side, needs } of active) {
      const situation = side === 'next' ? scene.next : (scene.base ?? scene.next);
      if (situation && needs.flat().includes(key)) rest += `|${rule.needs.map((need) => stateOf(need, situation)).join('')}`;
    }
    for (const situation of [scene.base, scene.next]) rest += situation ? `|${isArgument ? structure(situation) : ''}` : '|refused';
    const situation = scene.next ?? scene.base;
    if (situation && changes.length > 0) rest += `|${afterChanges(changes, situation, leaves, scene.proposed[name])}`;
    const value = isLinked ? linkedValue(leaves, scene, name) : '';
    return { rest: `${rest}|${value}`, patterns };
  };
}

/** What makes a difference only together with something that is chosen later: that there is an argument at all, whose it is, what it carries. */
function beside(key: string, name: string, leaves: readonly Held[], { draft, proposed, snapshot }: Scene): string {
  let found = '';
  for (const { leaf } of leaves) {
    if (key === 'labels') for (const { label } of stepsOf(leaf)) if (label !== null) found += String(carriesLabel(snapshot.labels, label));
    if (leaf.is !== 'test') continue;
    const { field, test } = leaf;
    if (field.of === 'provenance' && name !== '') found += String(Object.hasOwn(proposed, name));
    if (test.op === 'owned_by' && key === 'identity human') found += draft.identity.human;
  }
  return found;
}

/** Under both kinds of caution, and of several wanted values each by itself, because sets of them add up. */
function truthsOf(leaf: Leaf, situation: Situation): string {
  const of = (one: Leaf): string => `${hold(one, situation, true).charAt(0)}${hold(one, situation, false).charAt(0)}`;
  if (leaf.is === 'test' && (leaf.field.of === 'count' || leaf.field.of === 'owner' || leaf.field.of === 'attribute' || leaf.field.of === 'risk')) return of(leaf) + readingOf(situation, leaf.field);
  if (leaf.is !== 'test' || leaf.test.op !== 'contains_all') return of(leaf);
  const { field, test } = leaf;
  return of(leaf) + test.values.map((value) => of({ is: 'test', field, test: { op: 'contains', values: [value] } })).join('');
}

/** How a field stands that a DEFER waits for. */
function stateOf({ field, attribute }: NeededField, situation: Situation): string {
  const about = field.startsWith('recipient.') ? 'recipients' : 'target';
  const reading = attribute !== null ? readAttribute(situation, attribute, field, about) : readField(situation, field === 'user_intent' ? { of: 'intent' } : { of: 'recipient' });
  return reading.state === 'unknown' ? (reading.missing.opaque ? 'o' : 'm') : reading.state === 'unavailable' ? 'u' : 'k';
}

/** What is missing can be supplied or not, which is a difference too. */
function readingOf(situation: Situation, field: Field): string {
  const reading = readField(situation, field);
  return reading.state === 'unknown' ? (reading.missing.opaque ? 'o' : 'm') : reading.state === 'at_least' ? '?' : '';
}

const isPattern = (leaf: Leaf): boolean => leaf.is === 'test' && leaf.test.op === 'matches' && asksOf({ tests: [leaf.test], changes: [], internal: [], linked: [], between: 1 }).patterns.size > 0;

/** What each change leaves, and how any two of the outcomes, one in place of the other, stand to what was asked for. */
function afterChanges(changes: readonly Modification[], situation: Situation, leaves: readonly Held[], asked: Json | undefined): string {
  const { action: { parameters }, policy } = situation;
  const values = changes.map((change) => {
    const after = applyChange(parameters, change, policy.internalDomains);
    return after instanceof Misfit ? asked : after[change.path[0] ?? ''];
  });
  const outcomes = [asked, ...values];
  const pairs = outcomes.flatMap((was) => outcomes.map((is) => (was === is ? '' : nearer(was, is, asked).map((effect) => effect.charAt(0)).join(''))));
  return `${changes.map((change) => afterChange(change, situation, leaves)).join('')} ${pairs.join(',')}`;
}

function afterChange(change: Modification, situation: Situation, leaves: readonly Held[]): string {
  const after = applyChange(situation.action.parameters, change, situation.policy.internalDomains);
  if (after instanceof Misfit) return 'm';
  if (after === situation.action.parameters) return 's';
  // What no longer fits the tool's schema is denied too.
  if (checkParameters(situation.action.entry, after).length > 0) return 'm';
  const changed: Situation = { ...situation, action: { ...situation.action, parameters: after, facts: deriveFacts(situation.action.entry, after) } };
  return `c${leaves.map(({ leaf }) => truthsOf(leaf, changed)).join('')}`;
}

function linkedValue(leaves: readonly Held[], scene: Scene, name: string): string {
  const situation = scene.next ?? scene.base;
  if (name !== '') return canonicalJson(scene.proposed[name] ?? 'left out');
  return situation ? leaves.flatMap(({ leaf }) => (leaf.is === 'compare' ? [leaf.left, leaf.right] : [])).map((field) => JSON.stringify(readField(situation, field))).join(' ') : '';
}

/** Which truths of regular expressions were met together, beside what else is so. */
export function notePattern(patterns: Map<string, Set<string>>, rest: string, met: string): void {
  const known = patterns.get(rest);
  if (known) known.add(met);
  else patterns.set(rest, new Set([met]));
}

/** Regular expressions beside each other, and beside other comparisons, are told apart only where every combination was met. */
export function patternDoubts(leaves: readonly Held[], met: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const sources = new Set(leaves.flatMap(({ leaf }) => (leaf.is === 'test' && leaf.test.op === 'matches' && isPattern(leaf) ? [leaf.test.source] : [])));
  if (sources.size === 0) return [];
  const most = Math.max(0, ...[...met.values()].map((found) => found.size));
  return most >= 2 ** sources.size ? [] : [`Texts that tell ${[...sources].map((source) => JSON.stringify(source)).join(' and ')} apart could not all be found.`];
}
