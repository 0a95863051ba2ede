import type { SessionTimelineQuery, SessionTimelineView, TimelineItem } from '@/lib/contracts/console/session-timeline';
import type { Roster } from '@/lib/authority/roster';
import type { LogRow } from '@/lib/ports/ledger-reader';
import type { HistoryEntry, SessionHistory } from '@/lib/ports/session-history';
import type { SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';
import { entryShown } from './entry-shown';
import { receiptRow } from './receipt-row';

/** The first position and the first step that lie on the newer side of a place in the history. */
type Place = { readonly index: bigint; readonly seq: number };
type Step = { readonly at: string; readonly item: TimelineItem; readonly place: Partial<Place> };
/** Steps of one direction, nearest first, and the place behind the last of them; null where the history ends. */
type Stretch = { readonly steps: readonly Step[]; readonly place: Place; readonly more: boolean };

/**
 * A session's context and receipts as one history in the order of time, page by page in both directions: a session of thousands of steps costs
 * what a short one does. Failures: `not_found`.
 */
export async function sessionTimeline(
  { sessions, history, inForce }: Pick<ConsoleParts, 'sessions' | 'history' | 'inForce'>,
  { id, around, older, newer, limit }: SessionTimelineQuery,
): Promise<Result<SessionTimelineView>> {
  const session = (await sessions.find([id])).get(id);
  if (!session) return fail('not_found', 'There is no such session.');
  const roster = (await inForce.current()).roster?.roster;
  if (newer !== undefined) {
    const after = await towardsNewer(history, id, placeOf(newer), limit, roster);
    return ok({ items: after.steps.map(({ item }) => item), older: null, newer: after.more ? textOf(after.place) : null });
  }
  const middle = older === undefined ? await placeBehind(history, id, BigInt(around ?? 0), session.seq) : placeOf(older);
  const before = await towardsOlder(history, id, middle, limit, roster);
  const items = before.steps.map(({ item }) => item).toReversed();
  if (older !== undefined) return ok({ items, older: before.more ? textOf(before.place) : null, newer: null });
  const after = await towardsNewer(history, id, middle, Math.ceil(limit / 2), roster);
  return ok({ items: [...items, ...after.steps.map(({ item }) => item)], older: before.more ? textOf(before.place) : null, newer: after.more ? textOf(after.place) : null });
}

async function towardsOlder(history: SessionHistory, id: SessionId, from: Place, limit: number, roster: Roster | undefined): Promise<Stretch> {
  const [receipts, entries] = await Promise.all([history.receiptsBefore(id, from.index, limit + 1), history.entriesBefore(id, from.seq, limit + 1)]);
  // Of one moment the receipt comes later: it tells of the step.
  const steps = stepsOf(receipts, entries, roster).sort((a, b) => (a.at === b.at ? kindOrder(b) - kindOrder(a) : a.at < b.at ? 1 : -1));
  const shown = steps.slice(0, limit);
  return { steps: shown, more: steps.length > limit, place: shown.reduce<Place>((place, step) => ({ ...place, ...step.place }), from) };
}

async function towardsNewer(history: SessionHistory, id: SessionId, from: Place, limit: number, roster: Roster | undefined): Promise<Stretch> {
  const [receipts, entries] = await Promise.all([history.receiptsFrom(id, from.index, limit + 1), history.entriesFrom(id, from.seq, limit + 1)]);
  const steps = stepsOf(receipts, entries, roster).sort((a, b) => (a.at === b.at ? kindOrder(a) - kindOrder(b) : a.at < b.at ? -1 : 1));
  const shown = steps.slice(0, limit);
  return { steps: shown, more: steps.length > limit, place: shown.reduce<Place>((place, step) => behind({ ...place, ...step.place }, step), from) };
}

const behind = (place: Place, { place: own }: Step): Place => ({ index: own.index === undefined ? place.index : own.index + 1n, seq: own.seq === undefined ? place.seq : own.seq + 1 });

const kindOrder = ({ item }: Step): number => (item.of === 'receipt' ? 1 : 0);

const stepsOf = (receipts: readonly LogRow[], entries: readonly HistoryEntry[], roster: Roster | undefined): Step[] => [
  ...receipts.map((row): Step => ({ at: row.at, place: { index: row.index }, item: { of: 'receipt', at: row.at, row: receiptRow(row, roster) } })),
  // An erased step has no time of its own any more: it stays beside its neighbours, which are sorted by theirs.
  ...withTimes(entries).map(({ seq, entry, at }): Step => ({ at, place: { seq }, item: { of: 'context', seq, ...(entry === null ? { kind: 'erased', at, text: null, untrusted: false, labels: [] } : entryShown(entry, roster)) } })),
];

function withTimes(entries: readonly HistoryEntry[]): readonly (HistoryEntry & { readonly at: string })[] {
  let at = entries.find(({ entry }) => entry !== null)?.entry?.at ?? '';
  return entries.map((one) => {
    at = one.entry?.at ?? at;
    return { ...one, at };
  });
}

/** The place just behind a receipt: its own position, and the last step that was there when it was written, found by halving. */
async function placeBehind(history: SessionHistory, id: SessionId, index: bigint, steps: number): Promise<Place> {
  const [receipt] = await history.receiptsBefore(id, index + 1n, 1);
  if (!receipt) return { index: index + 1n, seq: 0 };
  let [low, high] = [1, steps + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [found] = await history.entriesFrom(id, middle, 1);
    if (found && (found.entry === null || found.entry.at <= receipt.at)) low = found.seq + 1;
    else high = middle;
  }
  return { index: index + 1n, seq: low };
}

const textOf = ({ index, seq }: Place): string => `${String(index)}.${String(seq)}`;

function placeOf(text: string): Place {
  const [index = '0', seq = '0'] = text.split('.');
  return { index: BigInt(index), seq: Number(seq) };
}
