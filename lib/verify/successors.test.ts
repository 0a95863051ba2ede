import { beforeAll, describe, expect, it } from 'vitest';

import type { Digest } from '@/lib/shared/ids';
import { isJsonObject, type Json } from '@/lib/shared/json';
import { testWorkspace } from '@/lib/testing/ledger-builder';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';
import { evidenceOf } from '@/lib/testing/ledger-harness/told-evidence';
import { eventOf, indexOf } from '@/lib/testing/ledger-harness/tampering';

import { faultOfSuccessors } from './successors';

let told: ToldLedger;
let contents: Map<Digest, Json>;
beforeAll(async () => {
  told = await tellLedger('successors', testWorkspace);
  contents = new Map(told.contents.map(({ digest, value }) => [digest, value]));
}, 60_000);

const label = 'draft again requested';
/** What was put before people then, with something else said of what had changed. */
const saying = (changed: Json) => {
  const digest = eventOf(told, label).predicate['held_digest'] as Digest;
  const held = contents.get(digest);
  if (!isJsonObject(held)) throw new Error('Nothing was held.');
  return new Map(contents).set(digest, { ...held, changed });
};

describe('what a request says of the one whose place it takes', () => {
  it('is found out again from what was held in both', () => {
    expect(faultOfSuccessors(evidenceOf(told).entries, contents)).toBeUndefined();
  });

  it.each<[string, (from: Json) => Json]>([
    ['a change that there was not', (from) => ({ from, differences: [{ what: 'policy', name: 'revision', before: 1, after: 2 }] })],
    ['another request', () => ({ from: eventOf(told, 'copy requested').predicate['approval'] as string, differences: [] })],
  ])('may not be %s', (_name, change) => {
    const from = eventOf(told, 'draft requested').predicate['approval'] as string;
    expect(faultOfSuccessors(evidenceOf(told).entries, saying(change(from)))).toEqual({ index: indexOf(told, label), detail: 'A request does not say what has changed since the one before it.' });
  });

  it('is not judged where the contents are withheld', () => {
    expect(faultOfSuccessors(evidenceOf(told).entries, new Map())).toBeUndefined();
  });
});
