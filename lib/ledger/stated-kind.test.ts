import { describe, expect, it } from 'vitest';

import { envelopeText } from '@/lib/shared/dsse';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import { testWorkspace } from '@/lib/testing/ledger-builder';
import { signTold } from '@/lib/testing/ledger-harness/sign-told';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';

import { statedKind } from './stated-kind';

describe('the kind read off the end of a receipt', () => {
  it('is the one that it states, for every receipt of a told log', async () => {
    const receipts = (await signTold(await tellLedger('kinds', testWorkspace))).flatMap((batch) => batch.receipts);
    expect(receipts.length).toBeGreaterThan(100);
    for (const { envelope, kind } of receipts) expect(statedKind(envelope)).toBe(kind);
  }, 60_000);

  const of = (statement: string) => statedKind(envelopeText({ payloadType: 'x', payload: toBase64(utf8(statement)), signatures: [] }));
  const end = (kind: string) => `"predicateType":"https://countersign.dev/receipt/${kind}/v1","subject":[{"digest":{},"name":"é"}]}`;
  it('is not one that stands inside of it', () => {
    expect(of(`{"_type":"x","predicate":{"scope":{${end('session_opened')}},${end('switch_thrown')}`)).toBe('switch_thrown');
    expect(of(`{"_type":"x","predicate":{"reason":${JSON.stringify(end('session_opened'))}},${end('switch_thrown')}`)).toBe('switch_thrown');
  });

  it.each([
    ['a kind that there is not', `{${end('nothing')}`], ['another type', '{"predicateType":"https://slsa.dev/provenance/v1","subject":[]}'], ['nothing of it', '{}'],
  ])('is not told of %s', (_, statement) => {
    expect(of(statement)).toBeUndefined();
    expect(statedKind('{}')).toBeUndefined();
  });
});
