import { strictness } from '@/lib/engine/outcome';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonArray, type Json, type JsonObject } from '@/lib/shared/json';

import type { ChangeEffect, Decided, DemandCompared } from './comparison';

export type Differences = { readonly effects: readonly ChangeEffect[]; readonly words: readonly string[] };

/** What one decision in place of another does to an action as proposed; null: nothing. */
export function differencesOf(from: Decided, to: Decided, proposed: JsonObject): Differences | null {
  const found = new Found();
  if (from.decision !== to.decision) {
    found.add(strictness(to.decision) < strictness(from.decision) ? 'loosens' : 'tightens', `${from.decision} → ${to.decision}`);
  }
  if (from.decision === to.decision && from.approval && to.approval) compareDemands(from.approval, to.approval, '', found);
  if (from.deferral && to.deferral) compareDeferrals(from.deferral, to.deferral, found);
  if (from.decision === to.decision || (asksOrRuns(from) && asksOrRuns(to))) compareParameters(from.parameters ?? proposed, to.parameters ?? proposed, proposed, found);
  if (asksOrRuns(from) && asksOrRuns(to)) compareObligations(from.obligations, to.obligations, found);
  if (from.grant !== to.grant && from.decision === to.decision) found.add(from.grant ? 'loosens' : 'tightens', from.grant ? 'no grant is consumed any more' : 'a grant is consumed');
  return found.words.length === 0 ? null : { effects: [...found.effects].sort(), words: found.words };
}

/** Whether the action as it stands there may run, at once or when people say so. */
const asksOrRuns = ({ decision, deferral }: Decided): boolean => decision === 'ALLOW' || decision === 'MODIFY' || decision === 'STEP_UP' || deferral?.conflict === true;

class Found {
  readonly effects = new Set<ChangeEffect>();
  readonly words: string[] = [];

  add(effect: ChangeEffect | readonly ChangeEffect[], words: string): void {
    for (const one of typeof effect === 'string' ? [effect] : effect) this.effects.add(one);
    this.words.push(words);
  }
}

function compareDemands(from: DemandCompared, to: DemandCompared, before: string, found: Found): void {
  const [were, are] = [from.approvers.join(', '), to.approvers.join(', ')];
  if (were !== are) found.add('moves', `${before}approvers ${were} → ${are}`);
  if (from.all_groups !== to.all_groups && (from.approvers.length > 1 || to.approvers.length > 1)) {
    found.add(from.all_groups ? 'loosens' : 'tightens', to.all_groups ? `${before}every group instead of any` : `${before}any group instead of every one`);
  }
  if (from.quorum !== to.quorum) found.add(to.quorum < from.quorum ? 'loosens' : 'tightens', `${before}quorum ${String(from.quorum)} → ${String(to.quorum)}`);
  if (from.timeout_s !== to.timeout_s) found.add(to.timeout_s > from.timeout_s ? 'loosens' : 'tightens', `${before}time to decide ${seconds(from.timeout_s)} → ${seconds(to.timeout_s)}`);
  if (from.separation !== to.separation) found.add(from.separation ? 'loosens' : 'tightens', to.separation ? `${before}separation of duties` : `${before}no separation of duties`);
  compareEscalation(from.escalate, to.escalate, before, found);
}

function compareEscalation(from: DemandCompared['escalate'], to: DemandCompared['escalate'], before: string, found: Found): void {
  const [were, are] = [from?.to.join(', ') ?? 'nobody', to?.to.join(', ') ?? 'nobody'];
  if (were !== are) found.add('moves', `${before}backup ${were} → ${are}`);
  else if (from && to && from.after_s !== to.after_s) found.add(to.after_s < from.after_s ? 'loosens' : 'tightens', `${before}backup after ${seconds(from.after_s)} → ${seconds(to.after_s)}`);
}

type Deferral = NonNullable<Decided['deferral']>;

function compareDeferrals(from: Deferral, to: Deferral, found: Found): void {
  if (from.timeout_s !== to.timeout_s) found.add(to.timeout_s > from.timeout_s ? 'loosens' : 'tightens', `waits ${seconds(from.timeout_s)} → ${seconds(to.timeout_s)}`);
  if (from.conflict !== to.conflict) found.add('moves', to.conflict ? 'people settle a conflict' : 'facts are waited for');
  const named = ({ missing }: Deferral): ReadonlyMap<string, string> => new Map(missing.map(({ field, subject, suppliers }) => [`${field} ${subject ?? ''}`.trim(), suppliers.join(', ')]));
  const [were, are] = [named(from), named(to)];
  for (const [field, suppliers] of are) {
    const before = were.get(field);
    if (before === undefined) found.add('tightens', `waits for ${field} too`);
    else if (before !== suppliers) found.add('moves', `who says ${field}: ${before || 'nobody'} → ${suppliers || 'nobody'}`);
  }
  // What another decision point waits for it waits for under either policy: it is asked again once all that is waited for here is there.
  for (const field of were.keys()) if (!are.has(field) && !field.startsWith('point:')) found.add('loosens', `waits for ${field} no more`);
  comparePeople(from.escalate, to.escalate, 'in a conflict: ', found);
  comparePeople(from.at_timeout, to.at_timeout, 'when the time is over: ', found);
}

/** Who is asked instead of a denial. */
function comparePeople(from: DemandCompared | undefined, to: DemandCompared | undefined, before: string, found: Found): void {
  if (from && to) compareDemands(from, to, before, found);
  else if (to) found.add('loosens', `${before}${to.approvers.join(', ')} decide instead of a denial`);
  else if (from) found.add('tightens', `${before}denied instead of asking ${from.approvers.join(', ')}`);
}

function compareParameters(from: JsonObject, to: JsonObject, proposed: JsonObject, found: Found): void {
  for (const name of [...new Set([...Object.keys(from), ...Object.keys(to)])].sort()) {
    const [was, is, asked] = [from[name], to[name], proposed[name]];
    if (same(was, is)) continue;
    found.add(nearer(was, is, asked), `parameters.${name} ${written(was)} → ${written(is)}`);
  }
}

/** What stays nearer to what was asked for loosens; of changes that cannot be told apart so, both is said. */
export function nearer(was: Json | undefined, is: Json | undefined, asked: Json | undefined): readonly ChangeEffect[] {
  if (same(is, asked)) return ['loosens'];
  if (same(was, asked)) return ['tightens'];
  if (typeof was === 'number' && typeof is === 'number' && typeof asked === 'number') {
    if (was < is && is < asked) return ['loosens'];
    if (is < was && was < asked) return ['tightens'];
  }
  if (was !== undefined && is !== undefined && isJsonArray(was) && isJsonArray(is)) {
    const [before, after] = [was.map(written), is.map(written)];
    if (before.every((one) => after.includes(one))) return ['loosens'];
    if (after.every((one) => before.includes(one))) return ['tightens'];
  }
  return ['loosens', 'tightens'];
}

const same = (a: Json | undefined, b: Json | undefined): boolean => (a === undefined || b === undefined ? a === b : canonicalJson(a) === canonicalJson(b));

const written = (value: Json | undefined): string => {
  if (value === undefined) return 'left out';
  const text = canonicalJson(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
};

function compareObligations(from: Decided['obligations'], to: Decided['obligations'], found: Found): void {
  const [were, are] = [from, to].map((list) => new Set(list.map((one) => `${one.kind} ${canonicalJson(one.value)}`)));
  for (const one of are ?? []) if (were?.has(one) === false) found.add('tightens', `obligation ${one}`);
  for (const one of were ?? []) if (are?.has(one) === false) found.add('loosens', `no obligation ${one}`);
}

export function seconds(value: number): string {
  if (value % 3600 === 0 && value > 0) return `${String(value / 3600)}h`;
  return value % 60 === 0 && value > 0 ? `${String(value / 60)}m` : `${String(value)}s`;
}
