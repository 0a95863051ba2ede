import { keysOfRead, keysOfWritten } from '@/lib/context/resources';
import type { PointAnswer } from '@/lib/context/snapshot';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { mediate } from '@/lib/mediate/mediate';
import type { ActionRow } from '@/lib/ports/action-store';
import type { ActionId } from '@/lib/shared/ids';

import { openAction } from './action-content';
import type { InForce } from './in-force';
import { later } from './later';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';

/** The actions of its session that an action has to wait for. */
export type InTheWay = {
  readonly waits: readonly ActionId[];
  /** 1, or one more than the deepest of them. */
  readonly depth: number;
  /** The latest end that any of them has; its own time begins then. Null: it waits for none. */
  readonly until: string | null;
  /** Something that it depends on can never succeed any more. */
  readonly broken: boolean;
};

export const nothingInTheWay: InTheWay = { waits: [], depth: 1, until: null, broken: false };

/** How the evidence in a snapshot names that an earlier action has to end first. It is not a field that anybody could supply. */
export const orderPoint = 'earlier_actions';
export const orderField = `point:${orderPoint}`;

/** Evidence that an action waits: an answer that never permits, so it can only hold the action back. */
export const orderEvidence = ({ waits }: InTheWay): readonly PointAnswer[] =>
  waits.length === 0 ? [] : [{ point: orderPoint, answer: 'indeterminate', cause: `it waits until ${[...waits].sort().join(', ')} has ended.` }];

/**
 * What a newly proposed action waits for: what it depends on, until that has succeeded, and earlier actions on the same target
 * that wait themselves. `look`: whether anything of the session may be waiting; the commit compares it. `place`:
 * the action whose place it takes; only what was ahead of that is ahead of it.
 */
export async function inTheWayOf(
  parts: PlaneParts,
  session: LiveSession,
  inForce: InForce,
  action: CanonicalAction,
  dependsOn: readonly ActionId[],
  look: boolean,
  place?: ActionRow,
): Promise<InTheWay> {
  if (dependsOn.length === 0 && !look) return nothingInTheWay;
  const catalogue = inForce.policy?.compiled.catalogue;
  const [dependencies, waiting, denied] = await Promise.all([
    latestOf(parts, dependsOn),
    look ? parts.stores.actions.ofSession(session.row.id, ['held', 'deferred']) : [],
    look ? parts.stores.actions.deniedByPeople(session.row.id) : [],
  ]);
  if (look && waiting.length === 0 && denied.length === 0) session.mayWait = false;
  const needed = new Set([...dependencies.values()].map(({ id }) => id));
  const wanted = new Set(resourcesOf(action).flatMap(keysOfRead));
  const ahead: ActionRow[] = [];
  for (const row of waiting) {
    if (needed.has(row.id) || row.id === place?.id || (place && row.proposed_at >= place.proposed_at)) continue;
    const resources = catalogue ? await resourcesOfRow(parts, row, catalogue) : null;
    // What an earlier action acts on cannot be read any more: it may be the same.
    if (wanted.size > 0 && (resources === null || resources.some((resource) => keysOfWritten(resource).some((key) => wanted.has(key))))) ahead.push(row);
  }
  const unfinished = dependsOn.flatMap((id) => dependencies.get(id) ?? []).filter(isUnfinished);
  const broken = dependsOn.some((id) => dependencies.get(id)?.session !== session.row.id || isBroken(dependencies.get(id)));
  const waits = [...unfinished, ...ahead];
  return { waits: waits.map(({ id }) => id), broken, ...(await measure(parts, inForce, waits, needed)) };
}

/** What a deferred action still waits for, of what it waited for before. */
export async function stillInTheWay(parts: PlaneParts, row: ActionRow, waitsFor: readonly ActionId[]): Promise<Pick<InTheWay, 'waits' | 'broken'>> {
  const found = await latestOf(parts, [...new Set([...waitsFor, ...row.depends_on])]);
  const needed = new Set(row.depends_on.flatMap((id) => found.get(id)?.id ?? []));
  const others = waitsFor.flatMap((id) => found.get(id) ?? []).filter((other) => (needed.has(other.id) ? isUnfinished(other) : isWaiting(other)));
  return {
    waits: [...new Set(others.map(({ id }) => id))],
    broken: row.depends_on.some((id) => isBroken(found.get(id))),
  };
}

/** Edits of one action that are followed: each needs a person, so it ends far before. */
const mostEdits = 100;

/** The actions of these ids, each as the one that took its place where a person changed it. */
async function latestOf(parts: PlaneParts, ids: readonly ActionId[]): Promise<ReadonlyMap<ActionId, ActionRow>> {
  const latest = new Map(await parts.stores.actions.find(ids));
  for (let step = 0; step < mostEdits; step++) {
    const gone = [...latest].flatMap(([id, { superseded_by: next }]) => (next === null ? [] : [[id, next] as const]));
    if (gone.length === 0) break;
    const found = await parts.stores.actions.find(gone.map(([, next]) => next));
    for (const [id, next] of gone) {
      const row = found.get(next);
      if (row) latest.set(id, row);
      else latest.delete(id);
    }
  }
  return latest;
}

const isWaiting = ({ state }: ActionRow): boolean => state === 'held' || state === 'deferred';
const isUnfinished = (row: ActionRow): boolean => isWaiting(row) || row.state === 'permitted' || row.state === 'redeemed';
const isBroken = (row: ActionRow | undefined): boolean => row === undefined || (!isUnfinished(row) && row.state !== 'succeeded');

/** What an action acts on, as far as it is known: its target, the tables of its query, its paths. Without regard to case: two names for one thing must not pass each other. */
export const resourcesOf = ({ tool, facts }: CanonicalAction): readonly string[] =>
  [
    ...(facts.target === undefined ? [] : [facts.target]),
    ...facts.tables.map((table) => `${tool}:${table}`),
    ...facts.paths.map((path) => `files:${path}`),
  ].map((resource) => resource.toLowerCase());

async function resourcesOfRow(parts: PlaneParts, row: ActionRow, catalogue: Catalogue): Promise<readonly string[] | null> {
  const opened = await openAction(parts.stores.content, parts.sha256, row.asked);
  const action = opened.ok ? mediate(opened.value, catalogue) : opened;
  return action.ok ? resourcesOf(action.value) : null;
}

async function measure(
  parts: PlaneParts,
  inForce: InForce,
  waits: readonly ActionRow[],
  dependencies: ReadonlySet<ActionId>,
): Promise<Pick<InTheWay, 'depth' | 'until'>> {
  if (waits.length === 0) return { depth: 1, until: null };
  const deferrals = new Map((await parts.stores.approvals.deferralsOf(waits.map(({ id }) => id))).map((row) => [row.action, row]));
  const permits = inForce.policy?.compiled.permits;
  const running = permits ? permits.after_approval_s + permits.outcome_s : 0;
  const ends = await Promise.all(
    waits.map(async (row) => {
      const held = row.state === 'held' ? (await parts.stores.approvals.ofAction(row.id))?.expires_at : undefined;
      const end = held ?? deferrals.get(row.id)?.expires_at ?? row.outcome_due_at ?? row.permit?.expires_at ?? row.changed_at;
      return dependencies.has(row.id) ? later(end, running) : end;
    }),
  );
  const depths = waits.map((row) => deferrals.get(row.id)?.depth ?? (isWaiting(row) ? 1 : 0));
  return { depth: 1 + Math.max(...depths), until: ends.reduce((latest, end) => (end > latest ? end : latest)) };
}
