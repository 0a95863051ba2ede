import { contentItem } from '@/lib/ledger/content';
import { fromBase64 } from '@/lib/shared/encoding';
import { isJsonObject, type Json } from '@/lib/shared/json';

import { nodeSha256 as sha256 } from '../node-crypto';
import { changing, consistent, eventOf, rewritten, type Tampering } from './tampering';
import type { ToldEvent, ToldLedger } from './teller';

const signedAnew = { fsck: consistent, pins: rewritten } as const;

/** Another value in the place of a content, under every receipt that names it. */
function exchanged(told: ToldLedger, digest: unknown, change: (value: { readonly [name: string]: Json }) => Json): ToldLedger {
  const item = told.contents.find((one) => one.digest === digest);
  if (!item || !isJsonObject(item.value)) throw new Error('There is no such content.');
  const other = contentItem(sha256, fromBase64(item.salt) ?? new Uint8Array(16), change(item.value));
  const renamed = (predicate: ToldEvent['predicate']) => JSON.parse(JSON.stringify(predicate).replaceAll(item.digest, other.digest)) as ToldEvent['predicate'];
  return {
    ...told,
    contents: told.contents.map((one) => (one === item ? other : one)),
    events: told.events.map((event) => (JSON.stringify(event.predicate).includes(item.digest) ? { ...event, predicate: renamed(event.predicate) } : event)),
  };
}

const actionOf = (told: ToldLedger, label: string): unknown => {
  const { action } = eventOf(told, label).predicate;
  return isJsonObject(action as Json) ? (action as { readonly digest: unknown }).digest : undefined;
};
const snapshotOf = (told: ToldLedger, label: string): unknown => eventOf(told, label).predicate['snapshot_digest'];
const without = (told: ToldLedger, digest: unknown): ToldLedger => ({ ...told, contents: told.contents.filter((one) => one.digest !== digest) });
const within = (value: Json | undefined): { readonly [name: string]: Json } => (isJsonObject(value) ? value : {});

/** People's signatures are genuine, but for something else than was decided; and decisions that rest on what was never so. With the plane's key. */
export const tamperedEvidence: readonly Tampering[] = [
  {
    name: 'people were shown another action than was run', history: (told) => exchanged(told, actionOf(told, 'copy held'), (action) => ({ ...action, parameters: { path: 'copy.txt', content: 'other numbers' } })),
    verify: { check: 'votes', at: 'copy requested', says: 'People were shown another action' }, ...signedAnew,
  },
  {
    name: 'people were shown labels that the session did not have', history: (told) => exchanged(told, snapshotOf(told, 'copy held'), (snapshot) => ({ ...snapshot, labels: ['RESTRICTED'] })),
    verify: { check: 'votes', at: 'copy requested', says: 'People were shown other labels' }, ...signedAnew,
  },
  {
    name: 'a request is escalated to people whom policy does not name', history: changing('report escalated', () => ({ approvers: ['everybody'] })),
    verify: { check: 'rederivation', at: 'report held', says: 'everybody was asked later' }, ...signedAnew,
  },
  {
    name: 'a request is escalated before the time that policy gives the first ones', history: (told) => changing('report escalated', () => ({ at: eventOf(told, 'report requested').predicate.at }))(told),
    verify: { check: 'rederivation', at: 'report held', says: 'Others were asked before the 1 seconds' }, ...signedAnew,
  },
  {
    name: 'somebody is not excluded who was', history: changing('copy requested', () => ({ excluded: [] })), verify: { check: 'votes', at: 'copy requested', says: 'excludes other people' }, ...signedAnew,
  },
  {
    name: 'an action is let through by an engine that was not asked', history: (told) => without(changing('note decided', () => ({ snapshot_digest: null }))(told), snapshotOf(told, 'note decided')),
    verify: { check: 'rederivation', at: 'note decided', says: 'not denied, and the engine was not asked' }, ...signedAnew,
  },
  {
    name: 'the snapshot behind a permit is nothing that the engine reads', history: (told) => exchanged(told, snapshotOf(told, 'note decided'), () => ({ nothing: true })),
    verify: { check: 'rederivation', at: 'note decided', says: 'cannot be read' }, ...signedAnew,
  },
  {
    name: 'a decision rests on the snapshot of another step', history: (told) => exchanged(told, snapshotOf(told, 'note decided'), (snapshot) => ({ ...snapshot, session: { ...within(snapshot['session']), seq: 1 } })),
    verify: { check: 'rederivation', at: 'note decided', says: 'another step of its session' }, ...signedAnew,
  },
  {
    name: 'a decision rests on the snapshot of somebody else', history: (told) => exchanged(told, snapshotOf(told, 'note decided'), (snapshot) => ({ ...snapshot, identity: { ...within(snapshot['identity']), role: 'administrator' } })),
    verify: { check: 'rederivation', at: 'note decided', says: 'another identity' }, ...signedAnew,
  },
  {
    name: 'the snapshot has an attribute that the receipt does not', history: (told) => exchanged(told, snapshotOf(told, 'note decided'), (snapshot) => ({
      ...snapshot, attributes: [{ subject: 'note', name: 'owner', value: 'me', unavailable: false, source: 'ip:records', observed_at: eventOf(told, 'note decided').predicate.at }],
    })),
    verify: { check: 'rederivation', at: 'note decided', says: 'other attributes' }, ...signedAnew,
  },
  {
    name: 'the snapshot forgets a label that an output had', history: changing('note reported', () => ({ labels: ['RESTRICTED'] })),
    verify: { check: 'rederivation', at: 'update decided', says: 'without the label RESTRICTED' }, ...signedAnew,
  },
  {
    name: 'the snapshot forgets what the session was permitted', history: (told) => exchanged(told, snapshotOf(told, 'second granted note decided'), (snapshot) => ({ ...snapshot, prior: { counts: {}, recent: [], total: 0 } })),
    verify: { check: 'rederivation', at: 'second granted note decided', says: 'fewer permits of notes.write' }, ...signedAnew,
  },
];
