import { isJsonObject, type Json } from '@/lib/shared/json';

import { changing, consistent, eventOf, followedBy, replacing, rewritten, type Tampering } from './tampering';


const signedAnew = { fsck: consistent, pins: rewritten } as const;

const record = (value: unknown): Readonly<Record<string, Json>> => (isJsonObject(value as Json) ? (value as Readonly<Record<string, Json>>) : {});

/** One action’s receipts put one after another in a way that no action goes: by somebody with the plane’s key and people’s genuine votes. */
export const tamperedLifeCycles: readonly Tampering[] = [
  {
    name: 'one approval gives two permits', history: followedBy('copy permitted', 'copy permitted', ({ permit }) => ({ permit: { ...record(permit), id: 'pmt_0000000000000000000000' } })),
    verify: { check: 'pairing', at: 'copy of copy permitted', says: 'a second permit' }, ...signedAnew,
  },
  {
    name: 'a permit is issued again to last longer', history: followedBy('copy permitted', 'copy permitted'),
    verify: { check: 'pairing', at: 'copy of copy permitted', says: 'a second permit' }, ...signedAnew,
  },
  {
    name: 'a request that somebody denied is approved after all', history: (told) => {
      const { approval, action, basis_digest } = eventOf(told, 'copy requested').predicate;
      return followedBy('copy requested', 'seeded voted', () => ({ approval, action, basis_digest }))(told);
    },
    verify: { check: 'pairing', at: 'copy approved', says: 'although somebody had denied it' }, ...signedAnew,
  },
  {
    name: 'a request ends twice', history: followedBy('copy approved', 'copy approved'), verify: { check: 'pairing', at: 'copy of copy approved', says: 'ended twice' }, ...signedAnew,
  },
  {
    name: 'a withdrawn action is run', history: (told) => {
      const { action, session } = eventOf(told, 'note decided').predicate;
      return followedBy('note decided', 'withdrawn', () => ({ action, ...(session === undefined ? {} : { session }) }))(told);
    },
    verify: { check: 'pairing', at: 'note redeemed', says: 'went on after it had been withdrawn' }, ...signedAnew,
  },
  {
    name: 'people are asked although policy had denied', history: changing('copy held', () => ({ decision: 'DENY', code: 'denied_by_default' })),
    verify: { check: 'pairing', at: 'copy held', says: 'A DENY that is called held' }, ...signedAnew,
  },
  {
    name: 'people are asked for what no decision asked of them', history: (told) => {
      const event = eventOf(told, 'copy held');
      const { approval: _approval, ...predicate } = event.predicate;
      return replacing(told, 'copy held', [{ ...event, predicate: { ...predicate, state: 'deferred', decision: 'DEFER' } }]);
    },
    verify: { check: 'pairing', at: 'copy requested', says: 'no decision had asked' }, ...signedAnew,
  },
  {
    name: 'a request is put before people twice, once to others', history: followedBy('copy requested', 'copy requested', () => ({ approvers: ['everybody'] })),
    verify: { check: 'pairing', at: 'copy of copy requested', says: 'before people twice' }, ...signedAnew,
  },
  {
    name: 'an action is proposed again until it is let through', history: followedBy('note decided', 'note decided'),
    verify: { check: 'pairing', at: 'copy of note decided', says: 'proposed twice' }, ...signedAnew,
  },
  {
    name: 'a standing approval stands for somebody whom separation of duties bars', history: (told) => changing('second copy requested', () => ({ excluded: [told.cast.people.abe] }))(told),
    verify: { check: 'standing', at: 'standing used', says: 'separation of duties bars' }, ...signedAnew,
  },
  {
    name: 'a standing approval stands for somebody who was not asked', history: changing('second copy requested', () => ({ approvers: ['security'] })),
    verify: { check: 'standing', at: 'standing used', says: 'not routed' }, ...signedAnew,
  },
  {
    name: 'a roster of before comes into force again', history: followedBy('second roster', 'first roster'), verify: { check: 'rosters', at: 'copy of first roster', says: 'had been in force before' }, ...signedAnew,
  },
  {
    name: 'a trust root of before comes into force again', history: followedBy('second root', 'first root'), verify: { check: 'trust_root', at: 'copy of first root', says: 'had been in force before' }, ...signedAnew,
  },
  {
    name: 'the console says that something ran', history: (told) => replacing(told, 'note redeemed', [{ ...eventOf(told, 'note redeemed'), signer: told.cast.keys.console }]),
    verify: { check: 'receipts', at: 'note redeemed', says: 'What only the plane does' }, ...signedAnew,
  },
  {
    name: 'the console says what a source knows', history: (told) => replacing(told, 'owner supplied', [{ ...eventOf(told, 'owner supplied'), signer: told.cast.keys.console }]),
    verify: { check: 'receipts', at: 'owner supplied', says: 'What only the plane does' }, ...signedAnew,
  },
  {
    name: 'a session is opened a second time', history: followedBy('message', 'session opened', (_opened, { predicate }) => ({ context_head: predicate['context_head'] })),
    verify: { check: 'sessions', at: 'copy of session opened', says: 'opened twice' }, ...signedAnew,
  },
];


