import { expect, test } from 'vitest';

import type { PeopleStore } from '@/lib/ports/people-store';
import type { Transactor } from '@/lib/ports/transaction';
import { keyId } from '@/lib/shared/ids';
import { aDigest, aPerson, at, farOff, later } from '@/lib/testing/row-builders';

export type PeopleFixture = { readonly transactor: Transactor; readonly people: PeopleStore };

export function peopleConformance(open: () => PeopleFixture): void {
  const add = async (...rows: readonly ReturnType<typeof aPerson>[]) => {
    for (const row of rows) await open().transactor.withHead((tx) => open().people.add(tx, row));
  };

  test('people are found by address and id, and listed by name', async () => {
    const { people } = open();
    const [zoe, ada] = [aPerson({ name: 'Zoe' }), aPerson({ name: 'Ada', password_hash: 'hash' })];
    await add(zoe, ada);
    expect(await people.byEmail(zoe.email)).toEqual(zoe);
    expect(await people.byId(ada.id)).toEqual(ada);
    expect(await people.byEmail('nobody@example.com')).toBeUndefined();
    expect(await people.list()).toEqual([ada, zoe]);
  });

  test('an address belongs to one person, in one spelling', async () => {
    const first = aPerson();
    await add(first);
    await expect(add(aPerson({ email: first.email }))).rejects.toThrow();
    await expect(add(aPerson({ email: 'Ada@Example.com' }))).rejects.toThrow();
  });

  test('password, suspension and signing out change that person alone', async () => {
    const { transactor, people } = open();
    const [ada, zoe] = [aPerson(), aPerson({ name: 'Zoe' })];
    await add(ada, zoe);
    const suspended = await transactor.withHead(async (tx) => {
      await people.setPassword(tx, ada.id, 'new');
      await people.signOutEverywhere(tx, ada.id, later);
      return people.suspend(tx, ada.id, at);
    });
    expect(suspended).toBe(true);
    expect(await people.list()).toEqual([{ ...ada, password_hash: 'new', signed_out_at: later, suspended_at: at }, zoe]);
    expect(await transactor.withHead((tx) => people.suspend(tx, aPerson().id, at))).toBe(false);
    await expect(transactor.withHead((tx) => people.setPassword(tx, aPerson().id, 'x'))).rejects.toThrow('does not exist');
  });

  test('a key is called what its own person called it last', async () => {
    const { people, transactor } = open();
    const [ada, ben] = [aPerson(), aPerson()];
    await add(ada, ben);
    await transactor.withHead(async (tx) => {
      await people.labelKey(tx, ada.id, keyId('key-1'), 'Laptop');
      await people.labelKey(tx, ada.id, keyId('key-1'), 'Old laptop');
      await people.labelKey(tx, ada.id, keyId('key-2'), 'Phone');
    });
    expect(await people.keyLabels(ada.id)).toEqual(new Map([[keyId('key-1'), 'Old laptop'], [keyId('key-2'), 'Phone']]));
    expect(await people.keyLabels(ben.id)).toEqual(new Map());
  });

  test('a key waits for enrolment once and is resolved once', async () => {
    const { transactor, people } = open();
    const person = aPerson();
    const enrolment = { id: 'enr_1', person: person.id, key: keyId('key-1'), envelope: '{}', state: 'waiting', created_at: at } as const;
    await add(person);
    await transactor.withHead((tx) => people.addEnrolment(tx, enrolment));
    expect(await people.enrolments('waiting')).toEqual([enrolment]);
    await expect(transactor.withHead((tx) => people.addEnrolment(tx, { ...enrolment, id: 'enr_2' }))).rejects.toThrow();
    const resolve = (state: 'enrolled' | 'refused') => transactor.withHead((tx) => people.resolveEnrolment(tx, 'enr_1', state));
    expect([await resolve('enrolled'), await resolve('refused')]).toEqual([true, false]);
    expect(await people.enrolments('waiting')).toEqual([]);
    expect(await people.enrolments('enrolled')).toEqual([{ ...enrolment, state: 'enrolled' }]);
  });

  test('a set-up link works once, before its end, and for nobody who guesses', async () => {
    const { transactor, people } = open();
    const [good, over] = [aDigest('good'), aDigest('over')];
    await transactor.withHead(async (tx) => {
      await people.addSetUpLink(tx, good, farOff);
      await people.addSetUpLink(tx, over, at);
    });
    const use = (digest: string) => transactor.withHead((tx) => people.useSetUpLink(tx, digest, later));
    expect(await people.findSetUpLink(good)).toEqual({ expires_at: farOff, used_at: null });
    expect([await use(good), await use(good), await use(over), await use(aDigest('guessed'))]).toEqual([true, false, false, false]);
    expect(await people.findSetUpLink(good)).toEqual({ expires_at: farOff, used_at: later });
    expect(await people.findSetUpLink(aDigest('guessed'))).toBeUndefined();
  });
}
