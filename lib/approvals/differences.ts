import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonArray, type Json } from '@/lib/shared/json';

import type { Difference, HeldAction, HeldRule } from './held-action';
import { leavesOf } from './leaves';

/** As many as are kept: what changes more is another action. */
export const mostDifferences = 200;

/** Readings that move by themselves while a request waits: they would make it stale at every look. */
const moving: ReadonlySet<string> = new Set(['elapsed', 'time_window', 'velocity', 'sequence']);

/**
 * What a request of now would differ in from an earlier one about the same action, in a fixed order. `gained` gives the labels of the
 * second list that the first does not carry: one that was lowered asks nobody anew, since they judged it with more.
 */
export function differencesOf(before: HeldAction, after: HeldAction, gained: (before: readonly string[], after: readonly string[]) => readonly string[]): readonly Difference[] {
  return [
    ...(before.policy.digest === after.policy.digest ? [] : [{ what: 'policy', name: 'revision', before: before.policy.revision, after: after.policy.revision } as const]),
    ...changes('impact', { impact: before.impact }, { impact: after.impact }),
    ...changes('rule', actionsOf(before.rules), actionsOf(after.rules)),
    ...changes('reading', readingsOf(before.rules), readingsOf(after.rules)),
    ...gained(before.labels, after.labels).map((label) => ({ what: 'label', name: label, before: null, after: label }) as const),
    ...changes('argument', argumentsOf(before), argumentsOf(after)),
    ...changes('source', sourcesOf(before), sourcesOf(after)),
    ...changes('identity', identityOf(before), identityOf(after)),
    ...changes('precondition', preconditionsOf(before), preconditionsOf(after)),
    ...changes('approvers', approversOf(before), approversOf(after)),
  ].slice(0, mostDifferences);
}

/** Whether votes on the one would not cover the other. Where a value came from is shown, and counts where a rule reads it. */
export const outdatesVotes = (differences: readonly Difference[]): boolean => differences.some(({ what }) => what !== 'source');

type Values = Readonly<Record<string, Json>>;

function changes(what: Difference['what'], before: Values, after: Values): readonly Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [Object.hasOwn(before, name) ? before[name] : undefined, Object.hasOwn(after, name) ? after[name] : undefined];
    const same = was !== undefined && is !== undefined && canonicalJson(was) === canonicalJson(is);
    return same ? [] : [{ what, name, before: was ?? null, after: is ?? null }];
  });
}

/** Own properties, whatever the names: an agent may call an argument `__proto__`. */
const named = (entries: readonly (readonly [string, Json])[]): Values => Object.fromEntries(entries);

const actionsOf = (rules: readonly HeldRule[]): Values => named(rules.map(({ id, action }) => [id, action]));

const readingsOf = (rules: readonly HeldRule[]): Values =>
  named(rules.flatMap(({ id, read }) => read.filter(({ field }) => !moving.has(field)).map(({ field, value }) => [`${field}, read by ${id}`, isJsonArray(value) ? sorted(value) : value] as const)));

/** Values of a set have no order. */
const sorted = (values: readonly Json[]): Json => [...values].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));

const argumentsOf = ({ action, transformed }: HeldAction): Values => named(leavesOf(transformed?.parameters ?? action.parameters).map(({ path, value }) => [path, value]));

const sourcesOf = (held: HeldAction): Values => named(held.arguments.map(({ path, source }) => [path, source]));

const identityOf = ({ identity: { human, human_person, service, agent, registered_by, role, scope, delegation } }: HeldAction): Values =>
  ({ agent, delegation: [...delegation], human, human_person, registered_by, role, scope: [...scope].sort(), service });

const preconditionsOf = ({ preconditions }: HeldAction): Values => named(preconditions.map(({ name, value }) => [name, value]));

const approversOf = ({ approvers: { groups, all_groups, quorum, separation, escalate } }: HeldAction): Values => ({
  all_groups, ...(escalate ? { backup: [...escalate.to], backup_after_s: escalate.after_s } : {}), groups: [...groups], quorum, separation,
});
