import { describe, expect, it } from 'vitest';

import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopeText, signEnvelope } from '@/lib/shared/dsse';
import { toHex, utf8 } from '@/lib/shared/encoding';
import { testKeys } from '@/lib/testing/ledger-builder';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';

import { firstPrevious, leafHashOf, leafText, previousOf, textOf } from './leaf';
import { parseLeaf } from './parse-leaf';

const envelope = await signEnvelope('text/plain', utf8('hello'), [testKeys.plane.signer]);

describe('leaves', () => {
  it('the joined text is the canonical JSON of the leaf, so nothing has to be parsed to append', () => {
    const text = leafText(envelopeText(envelope), 12, 'a'.repeat(64));
    expect(text).toBe(canonicalJson(asJson({ envelope, index: 12, previous: 'a'.repeat(64) })));
    const read = parseLeaf(text);
    expect(read.ok && textOf(read.value)).toBe(text);
  });

  it('the first leaf names 64 zeros, each later one the hash of the leaf before', () => {
    expect(previousOf(undefined)).toBe(firstPrevious);
    const hash = leafHashOf(sha256, leafText(envelopeText(envelope), 0, firstPrevious));
    expect(previousOf(hash)).toBe(toHex(hash));
  });

  it('hashes the text behind a zero byte, as RFC 6962 asks', () => {
    const text = leafText(envelopeText(envelope), 0, firstPrevious);
    expect(leafHashOf(sha256, text)).toEqual(sha256(new Uint8Array([0, ...utf8(text)])));
  });

  const good = leafText(envelopeText(envelope), 1, firstPrevious);
  it.each([
    ['spaces', good.replace(',"index"', ', "index"')],
    ['another key order', `{"index":1,"envelope":${envelopeText(envelope)},"previous":"${firstPrevious}"}`],
    ['an unknown key', good.replace('{"envelope"', '{"a":1,"envelope"')],
    ['a negative index', good.replace('"index":1', '"index":-1')],
    ['an index that is not whole', good.replace('"index":1', '"index":1.5')],
    ['a text as index', good.replace('"index":1', '"index":"1"')],
    ['upper-case hex', good.replace(firstPrevious, 'A'.repeat(64))],
    ['a short hash', good.replace(firstPrevious, 'ab')],
    ['no JSON', good.slice(1)],
  ])('a leaf with %s is refused', (_what, text) => {
    expect(parseLeaf(text).ok).toBe(false);
  });
});
