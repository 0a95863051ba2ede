import { describe, expect, it } from 'vitest';

import { asJson } from '@/lib/shared/as-json';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope, type Envelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { testId, testKeys, testTime, testWorkspace } from '@/lib/testing/ledger-builder';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';
import { wholeStory } from '@/lib/testing/ledger-story';

import { receiptSchemas, type ReceiptPredicate } from './receipt-predicate';
import { parsePredicate, predicateTypeOf } from './parse-predicate';
import { buildStatement, readStatement, statementBytes, statementPayloadType } from './statement';

const predicate: ReceiptPredicate<'switch_thrown'> = {
  workspace: testWorkspace,
  at: testTime(1),
  receipt: testId('receipt', 1),
  scope: 'agent',
  target: 'agent-1',
  on: true,
  reason: 'It keeps deleting.',
  by: { kind: 'person', id: testId('person', 1) },
  epoch: 2,
};
const statement = buildStatement(sha256, 'switch_thrown', predicate);

const envelopeOf = (payload: Uint8Array, type = statementPayloadType): Promise<Envelope> => signEnvelope(type, payload, [testKeys.plane.signer]);
const changed = (change: Record<string, unknown>) => canonicalBytes(asJson({ ...statement, ...change }));

describe('receipts as in-toto statements', () => {
  it('what is built is read back as the same kind and predicate', async () => {
    const read = readStatement(sha256, await envelopeOf(statementBytes(statement)));
    expect(read).toEqual({ ok: true, value: { kind: 'switch_thrown', predicate } });
  });

  it('every receipt of a real story is read back', async () => {
    const { leaves } = await wholeStory();
    for (const { envelope } of leaves) expect(readStatement(sha256, envelope).ok).toBe(true);
  });

  it('names its subject by kind and id, with a digest', () => {
    expect(statement.subject).toEqual([{ name: 'switch:agent:agent-1', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }]);
    expect(statement.predicateType).toBe('https://countersign.dev/receipt/switch_thrown/v1');
  });

  it.each<[string, Uint8Array]>([
    ['another subject than its predicate’s', changed({ subject: [{ name: 'switch:all', digest: statement.subject[0].digest }] })],
    ['two subjects', changed({ subject: [...statement.subject, ...statement.subject] })],
    ['a kind that does not exist', changed({ predicateType: 'https://countersign.dev/receipt/nothing/v1' })],
    ['a kind that only the object prototype knows', changed({ predicateType: 'https://countersign.dev/receipt/constructor/v1' })],
    ['another kind’s predicate', changed({ predicateType: predicateTypeOf('export_made') })],
    ['an unknown field', changed({ predicate: { ...predicate, more: 1 } })],
    ['a missing field', changed({ predicate: { at: testTime(1) } })],
    ['a time with another precision', changed({ predicate: { ...predicate, at: '2030-01-01T00:00:01Z' } })],
    ['a day that does not exist', changed({ predicate: { ...predicate, at: '2030-02-30T00:00:01.000Z' } })],
    ['an id of another kind', changed({ predicate: { ...predicate, receipt: testId('action', 1) } })],
    ['a number that is not whole', changed({ predicate: { ...predicate, epoch: 1.5 } })],
    ['another statement type', changed({ _type: 'https://in-toto.io/Statement/v0.1' })],
    ['bytes that are not canonical', utf8(JSON.stringify(statement, null, 1))],
    ['bytes that are not text', Uint8Array.of(0xff, 0xfe)],
    ['no JSON', utf8('receipt')],
  ])('%s is refused', async (_what, payload) => {
    expect(readStatement(sha256, await envelopeOf(payload)).ok).toBe(false);
  });

  it('another payload type is refused even when the payload is a receipt', async () => {
    const read = readStatement(sha256, await envelopeOf(statementBytes(statement), 'application/json'));
    expect(read.ok).toBe(false);
  });

  it('every kind refuses a predicate with an unknown field', () => {
    for (const kind of Object.keys(receiptSchemas) as (keyof typeof receiptSchemas)[]) {
      const read = parsePredicate(predicateTypeOf(kind), { unheard_of: 1 });
      expect(read.ok, kind).toBe(false);
      if (!read.ok) expect(read.error.issues?.some(({ message }) => message.includes('unheard_of')), kind).toBe(true);
    }
  });
});
