import { describe, expect, it } from 'vitest';

import { browserKeyKinds, defaultKeyKinds } from '@/lib/authority/key-kinds';
import type { OwnKeysView } from '@/lib/contracts/console/keys';
import { listedKey } from '@/lib/testing/authority-documents';
import { testPasskey } from '@/lib/testing/passkey';

import { kindsToEnrol, pickSigningKey } from './pick-signing-key';

const browser = listedKey('laptop', 'browser-ed25519').entry;
const passkey = testPasskey('phone').entry;
const file = listedKey('stick').entry;
const view = (change: Partial<OwnKeysView> = {}): OwnKeysView => ({ workspace: 'ws', enrolled: [browser, passkey], owner: [passkey], waiting: [], revoked: [], history: {}, labels: {}, may_sign: defaultKeyKinds, ...change });
const here = (...entries: readonly (typeof browser)[]) => entries.map((entry) => ({ entry }));
const picked = (...given: Parameters<typeof pickSigningKey>) => pickSigningKey(...given).usable.map(({ entry }) => entry.id);

describe('the key to sign with', () => {
  it('is one that may sign this, and the passkey first', () => {
    expect(picked(here(browser, passkey), view(), 'low')).toEqual([passkey.id, browser.id]);
    expect(picked(here(browser, passkey), view(), 'high')).toEqual([passkey.id]);
  });

  it('is one that the right document lists: the trust root’s for what owners sign', () => {
    expect(picked(here(browser, passkey), view({ may_sign: browserKeyKinds, owner: [browser] }), 'policy')).toEqual([browser.id]);
    expect(picked(here(browser, passkey), view({ may_sign: browserKeyKinds, enrolled: [passkey], owner: [browser] }), 'low')).toEqual([passkey.id]);
  });

  it('is one that a next root lists, though the root in force does not', () => {
    expect(picked(here(browser, passkey), view({ owner: [] }), 'root', [passkey.id])).toEqual([passkey.id]);
  });

  it('is any of this browser while nothing is known, and one that the roster lists where the purpose is nobody’s matter', () => {
    expect(picked(here(browser), undefined, 'high')).toEqual([browser.id]);
    expect(picked(here(file, browser), view(), undefined)).toEqual([browser.id]);
    expect(pickSigningKey(here(file), view(), undefined).why).toContain('in this browser');
  });

  it.each<[string, Partial<OwnKeysView>, Parameters<typeof pickSigningKey>[2], string]>([
    ['a kind that may not', { enrolled: [browser] }, 'high', 'does not let a browser key sign what has high impact: a passkey or a file key may.'],
    ['a passkey of another address', {}, 'high', `Your passkey ${passkey.id.slice(0, 8)} belongs to another address`],
    ['a named browser key elsewhere', { labels: { [browser.id]: 'Work laptop' } }, 'low', 'Your browser key “Work laptop” is in another browser.'],
    ['a file', { enrolled: [file] }, 'critical', 'is in a file'],
    ['nobody’s key', { enrolled: [] }, 'low', 'no enrolled key'],
    ['no owner', { owner: [] }, 'root', 'lists no key of yours'],
    ['a root that lets nobody sign', { may_sign: { ...defaultKeyKinds, root: [] } }, 'root', 'no kind of key may'],
  ])('with %s says so', (_what, change, purpose, words) => {
    const { usable, why } = pickSigningKey(here(), view(change), purpose);
    expect(usable).toEqual([]);
    expect(why).toContain(words);
  });
});

it('is not offered to be made where only the trust root’s keys count: it would sign nothing', () => {
  expect(kindsToEnrol('policy', view())).toEqual([]);
  expect(kindsToEnrol('root', view())).toEqual([]);
  expect(kindsToEnrol('high', view())).toEqual(defaultKeyKinds.high);
  expect(kindsToEnrol(undefined, view())).toBeUndefined();
});
