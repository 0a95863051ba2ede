import { beforeAll, describe, expect, it } from 'vitest';

import type { BundleManifest } from '@/lib/ledger/bundle-manifest';
import type { Leaf } from '@/lib/ledger/leaf';
import { leafHashOf, textOf } from '@/lib/ledger/leaf';
import { readStatement } from '@/lib/ledger/statement';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { envelopePayload } from '@/lib/shared/dsse';
import { fromUtf8, toBase64 } from '@/lib/shared/encoding';
import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';
import { checkReceipts } from '@/lib/verify/check-receipts';
import type { Entry } from '@/lib/verify/parse-entries';

import { testWorkspace } from '../ledger-builder';
import { nodeSha256 as sha256, nodeVerifySignature as verify } from '../node-crypto';
import { evidenceOf } from './told-evidence';
import { builtFrom } from './sign-told';
import type { ToldLedger } from './teller';
import { tellLedger } from './tell-ledger';

let told: ToldLedger;
let leaves: readonly Leaf[];

beforeAll(async () => {
  told = await tellLedger('fields', testWorkspace);
  leaves = (await builtFrom(told)).leaves;
}, 60_000);

const entryOf = (leaf: Leaf): Entry => {
  const body = readStatement(sha256, leaf.envelope);
  return { index: leaf.index, leaf, leafHash: leafHashOf(sha256, textOf(leaf)), body: body.ok ? body.value : undefined, fault: body.ok ? undefined : body.error.detail, anchor: false };
};

const check = (leaf: Leaf) =>
  checkReceipts([entryOf(leaf)], { workspace: testWorkspace } as BundleManifest, evidenceOf(told).roots, { sha256, verify });

/** Another value of the same kind, as close as can be. */
function flipped(value: Json): Json {
  if (typeof value === 'string') return value === '' ? 'x' : `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return value === null ? 'x' : {};
}

/** The value with one of its leaves flipped, for each of them, and the path of that leaf. */
function* everyFlip(value: Json, path = ''): Generator<readonly [string, Json]> {
  if (isJsonArray(value) && value.length > 0) {
    for (const [at, item] of value.entries()) for (const [where, changed] of everyFlip(item, `${path}[${String(at)}]`)) yield [where, value.toSpliced(at, 1, changed)];
  } else if (isJsonObject(value) && Object.keys(value).length > 0) {
    for (const [name, item] of Object.entries(value)) for (const [where, changed] of everyFlip(item, `${path}.${name}`)) yield [where, { ...value, [name]: changed }];
  } else yield [path, flipped(value)];
}

describe('a receipt of every kind', () => {
  it('is refused when any one field of it, however deep, is another than was signed', async () => {
    const kinds = new Set<string>();
    let flips = 0;
    for (const [index, leaf] of leaves.entries()) {
      const kind = told.events[index]?.kind ?? '';
      if (kinds.has(kind)) continue;
      kinds.add(kind);
      expect((await check(leaf)).state, kind).toBe('pass');
      const statement = JSON.parse(fromUtf8(envelopePayload(leaf.envelope) ?? new Uint8Array()) ?? '') as Json;
      for (const [where, changed] of everyFlip(statement)) {
        const found = await check({ ...leaf, envelope: { ...leaf.envelope, payload: toBase64(canonicalBytes(changed)) } });
        if (found.state !== 'fail' || found.firstBad !== index) expect.fail(`${kind}${where} may be changed.`);
        flips += 1;
      }
    }
    expect(kinds.size).toBeGreaterThan(45);
    expect(flips).toBeGreaterThan(kinds.size * 8);
  }, 60_000);
});
