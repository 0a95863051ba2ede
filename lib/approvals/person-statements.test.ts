import { describe, expect, test } from 'vitest';

import type { RosterPerson } from '@/lib/authority/roster';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope } from '@/lib/shared/dsse';
import type { Digest } from '@/lib/shared/ids';
import { keyKinds } from '@/lib/shared/keys';
import { cryptography, listedKey, listedPerson, person, testId } from '@/lib/testing/authority-documents';

import { loweringBytes, loweringPayloadType, loweringSchema, signLowering, type LoweringStatement } from './lowering';
import { parseLowering } from './parse-lowering';
import { parseSuppliedFact } from './parse-supplied-fact';
import { signSuppliedFact, suppliedFactBytes, suppliedFactSchema, type SuppliedFact } from './supplied-fact';
import { verifyLowering, type LoweringContext } from './verify-lowering';
import { verifySuppliedFact } from './verify-supplied-fact';

const head = 'a'.repeat(64) as Digest;
const session = { id: testId('session', 'one'), human: 'rita@halden.example', head, seq: 4 };
const signer = (name: string) => ({ person: person(name), key: listedKey(name).entry.id, key_kind: 'file-ed25519' as const });
const people: readonly RosterPerson[] = [
  listedPerson('ada', { roles: ['owner'] }), listedPerson('rita', { roles: ['owner'], email: session.human, groups: ['finance'] }), listedPerson('ben', { groups: ['finance'] }),
  listedPerson('carl', { roles: ['owner'], groups: ['finance'] }), listedPerson('dora', { roles: ['owner'], suspended: true }),
];
const context: LoweringContext = { person: (id: string) => people.find((one) => one.id === id), keyKinds, verify: cryptography.verify, session, registeredBy: person('carl') };

const lowering = (name: string, changes: Partial<LoweringStatement> = {}): LoweringStatement => ({
  schema: loweringSchema, session: session.id, label: 'PII', to: null, context: { head, seq: 4 }, reason: 'Made-up people.', nonce: '0'.repeat(32), signer: signer(name), signed_at: '2027-03-01T14:10:00.000Z', ...changes,
});
const fact = (name: string, changes: Partial<SuppliedFact> = {}): SuppliedFact => ({
  schema: suppliedFactSchema, session: session.id, deferral: testId('deferral', 'one'), subject: 'calendar:standup', name: 'purpose', source: 'group:finance', value_digest: head, nonce: '0'.repeat(32), signer: signer(name),
  signed_at: '2027-03-01T14:10:00.000Z', ...changes,
});
const codeOf = (result: { readonly ok: boolean; readonly error?: { readonly code: string } }) => (result.ok ? 'counts' : result.error?.code);

describe('a lowering', () => {
  const code = async (statement: LoweringStatement, by = 'ada', more: Partial<typeof context> = {}) => codeOf(await verifyLowering(await signLowering(statement, listedKey(by).signer), { ...context, ...more }));

  test('counts when an owner signed it on the session as it is', async () => {
    expect(await code(lowering('ada'))).toBe('counts');
  });

  test.each<[string, string, LoweringStatement, string, Partial<typeof context>?]>([
    ['an approver', 'forbidden', lowering('ben'), 'ben'],
    ['somebody who is suspended', 'forbidden', lowering('dora'), 'dora'],
    ['somebody whom the roster does not list', 'forbidden', lowering('eve'), 'eve'],
    ['the owner whose session it is', 'separation_of_duties', lowering('rita'), 'rita'],
    ['the owner who registered the agent', 'separation_of_duties', lowering('carl'), 'carl'],
    ['another key than it names', 'signature_invalid', lowering('ada'), 'ben'],
    ['a key that is not theirs', 'key_not_enrolled', lowering('ada', { signer: { ...signer('ada'), key: listedKey('ben').entry.id } }), 'ben'],
    ['another kind of key than the roster says', 'signature_invalid', lowering('ada', { signer: { ...signer('ada'), key_kind: 'passkey' } }), 'ada'],
    ['a kind of key that may not', 'key_kind_refused', lowering('ada'), 'ada', { keyKinds: ['passkey'] }],
    ['an owner, for another session', 'conflict', lowering('ada', { session: testId('session', 'two') }), 'ada'],
    ['an owner, on another head', 'conflict', lowering('ada', { context: { head: 'b'.repeat(64) as Digest, seq: 4 } }), 'ada'],
    ['an owner, at another step', 'conflict', lowering('ada', { context: { head, seq: 3 } }), 'ada'],
  ])('does not when signed by %s: %s', async (_who, wanted, statement, by, more) => {
    expect(await code(statement, by, more)).toBe(wanted);
  });

  test('is not taken for a fact, nor a second signature beside it for none', async () => {
    const envelope = await signLowering(lowering('ada'), listedKey('ada').signer);
    expect(codeOf(await verifySuppliedFact(envelope, context))).toBe('signature_invalid');
    expect(codeOf(await verifyLowering({ ...envelope, payloadType: 'application/vnd.countersign.vote' }, context))).toBe('signature_invalid');
    const two = await signEnvelope(loweringPayloadType, loweringBytes(lowering('ada')), [listedKey('ada').signer, listedKey('ben').signer]);
    expect(codeOf(await verifyLowering(two, context))).toBe('signature_invalid');
  });

  test.each([
    ['an unknown field', { more: 1 }], ['no reason', { reason: '' }], ['a blank reason', { reason: ' x' }], ['a label in small letters', { label: 'pii' }], ['a nonce that is none', { nonce: 'x' }],
    ['another schema', { schema: 'countersign/vote/v1' }], ['a time without milliseconds', { signed_at: '2027-03-01T14:10:00Z' }], ['the state before the first step', { context: { head, seq: 0 } }],
  ])('with %s is not read', (_what, changes) => {
    expect(parseLowering(canonicalBytes({ ...lowering('ada'), ...changes })).ok).toBe(false);
  });

  test('written otherwise than canonically is not read', () => {
    expect(parseLowering(loweringBytes(lowering('ada'))).ok).toBe(true);
    expect(parseLowering(new TextEncoder().encode(JSON.stringify(lowering('ada'), null, 1))).ok).toBe(false);
  });
});

describe('a supplied fact', () => {
  const code = async (statement: SuppliedFact, by: string, more: Partial<typeof context> = {}) => codeOf(await verifySuppliedFact(await signSuppliedFact(statement, listedKey(by).signer), { ...context, ...more }));

  test('counts as a group’s word from one of the group, and as the requester’s from the person the session is for', async () => {
    expect(await code(fact('ben'), 'ben')).toBe('counts');
    expect(await code(fact('rita', { source: 'requester' }), 'rita')).toBe('counts');
  });

  test.each<[string, string, SuppliedFact, string]>([
    ['from somebody outside the group', 'forbidden', fact('ada'), 'ada'],
    ['from the person it is for, as a group', 'separation_of_duties', fact('rita'), 'rita'],
    ['from who registered the agent', 'separation_of_duties', fact('carl'), 'carl'],
    ['as requester, from somebody else', 'forbidden', fact('ben', { source: 'requester' }), 'ben'],
    ['for another session', 'conflict', fact('ben', { session: testId('session', 'two') }), 'ben'],
    ['signed by another key', 'signature_invalid', fact('ben'), 'ada'],
  ])('does not %s: %s', async (_what, wanted, statement, by) => {
    expect(await code(statement, by)).toBe(wanted);
  });

  test.each([
    ['an unknown field', { value: 'x' }], ['a source that no person speaks for', { source: 'ip:records' }], ['a value instead of its digest', { value_digest: 'open' }], ['no subject', { subject: '' }],
  ])('with %s is not read', (_what, changes) => {
    expect(parseSuppliedFact(suppliedFactBytes(fact('ben'))).ok).toBe(true);
    expect(parseSuppliedFact(canonicalBytes({ ...fact('ben'), ...changes })).ok).toBe(false);
  });
});
