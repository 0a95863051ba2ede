import { describe, expect, it } from 'vitest';

import { signEnvelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { keyKinds } from '@/lib/shared/keys';
import { cryptography, listedKey, listedPerson, person, testId } from '@/lib/testing/authority-documents';
import { digestOfDigit, heldDeletion } from '@/lib/testing/held-actions';

import { basisDigest } from './basis';
import { editBytes, editPayloadType, editSchema, signEdit, type EditStatement } from './edit';
import { parseEdit } from './parse-edit';
import { verifyEdit, type EditContext } from './verify-edit';

const held = heldDeletion();
const now = '2027-03-01T14:20:00.000Z';
const basis = basisDigest(held, cryptography.sha256);
const people = [listedPerson('ben'), listedPerson('priya'), listedPerson('root'), listedPerson('carl', { groups: ['backup'] }), listedPerson('dora', { suspended: true })];
const context: EditContext = {
  held, terms: { asked: held.approvers.groups, expires_at: held.expires_at }, now, person: (id) => people.find((one) => one.id === id), keyKinds, verify: cryptography.verify, sha256: cryptography.sha256,
};

const edit = (name: string, changes: Partial<EditStatement> = {}): EditStatement => ({
  schema: editSchema, request: held.approval, basis_digest: basis, parameters_digest: digestOfDigit('c'), reason: 'This table alone.', nonce: '0'.repeat(32),
  signer: { person: person(name), key: listedKey(name).entry.id, key_kind: 'file-ed25519' }, signed_at: now, ...changes,
});
const codeOf = async (statement: EditStatement, by = 'ben', more: Partial<EditContext> = {}) => {
  const result = await verifyEdit(await signEdit(statement, listedKey(by).signer), { ...context, ...more });
  return result.ok ? 'counts' : result.error.code;
};

describe('an edit', () => {
  it('counts from whoever could approve, also whom an escalation asked', async () => {
    expect(await codeOf(edit('ben'))).toBe('counts');
    expect(await codeOf(edit('carl'), 'carl', { terms: { ...context.terms, asked: ['security', 'backup'] } })).toBe('counts');
  });

  it.each<[string, string, EditStatement, string?, Partial<EditContext>?]>([
    ['somebody whom nobody asked', 'not_an_approver', edit('carl'), 'carl'],
    ['the person whom the agent acts for', 'separation_of_duties', edit('priya'), 'priya'],
    ['whoever registered the agent', 'separation_of_duties', edit('root'), 'root'],
    ['somebody who is suspended', 'forbidden', edit('dora'), 'dora'],
    ['somebody whom the roster does not list', 'forbidden', edit('eve'), 'eve'],
    ['another key than it names', 'signature_invalid', edit('ben'), 'carl'],
    ['a kind of key that may not', 'key_kind_refused', edit('ben'), 'ben', { keyKinds: ['passkey'] }],
    ['an approver, of another request', 'approval_stale', edit('ben', { request: testId('approval', 'other') })],
    ['an approver, on another basis', 'approval_stale', edit('ben', { basis_digest: digestOfDigit('d') })],
    ['an approver, too late', 'approval_expired', edit('ben'), 'ben', { now: held.expires_at }],
  ])('by %s is refused: %s', async (_who, wanted, statement, by, more) => {
    expect(await codeOf(statement, by, more)).toBe(wanted);
  });

  it('is nothing but a document of its own type, strictly read, with one signature', async () => {
    const envelope = await signEdit(edit('ben'), listedKey('ben').signer);
    const two = await signEnvelope(editPayloadType, editBytes(edit('ben')), [listedKey('ben').signer, listedKey('carl').signer]);
    for (const other of [{ ...envelope, payloadType: 'application/vnd.countersign.vote' }, two]) expect(await verifyEdit(other, context)).toMatchObject({ error: { code: 'signature_invalid' } });
    const { reason: _reason, ...without } = edit('ben');
    expect(parseEdit(editBytes(without)).ok).toBe(true);
    for (const changes of [{ more: 1 }, { reason: ' x' }, { reason: '' }, { nonce: 'x' }, { signed_at: '2027-03-01T14:10:00Z' }, { parameters_digest: 'x' }]) {
      expect(parseEdit(utf8(JSON.stringify({ ...edit('ben'), ...changes }))).ok).toBe(false);
    }
  });
});
