import { signEdit, type EditStatement } from '@/lib/approvals/edit';
import { parseEdit } from '@/lib/approvals/parse-edit';
import { contentItem } from '@/lib/ledger/content';
import { envelopePayload, readEnvelope } from '@/lib/shared/dsse';
import { digestOf, fromBase64 } from '@/lib/shared/encoding';
import { keyId, type ApprovalId, type Digest } from '@/lib/shared/ids';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

import { nodeSha256 as sha256 } from '../node-crypto';
import { changing, consistent, eventOf, rewritten, shorter, without, type Tampering } from './tampering';
import type { ToldLedger } from './teller';

const signedAnew = { fsck: consistent, pins: rewritten } as const;
const label = 'wide edited';

/** The edit as somebody's key would have signed it; of the receipt only the signature, the key and the person follow. */
const editedBy = (person: 'abe' | 'rita', change: (told: ToldLedger) => Partial<EditStatement>, by: 'abe' | 'rita' | 'stranger' = person, says: (statement: EditStatement) => object = () => ({})) => async (told: ToldLedger): Promise<ToldLedger> => {
  const envelope = readEnvelope(objectIn(eventOf(told, label).predicate['statement'])['envelope']);
  const said = parseEdit((envelope && envelopePayload(envelope)) ?? new Uint8Array());
  if (!said.ok) throw new Error(said.error.detail);
  const { signer } = told.cast.keys[by];
  const statement: EditStatement = { ...said.value, ...change(told), signer: { person: told.cast.people[person], key: keyId(signer.keyId), key_kind: 'browser-ed25519' } };
  const signed = await signEdit(statement, signer);
  const digest = digestOf(sha256, envelopePayload(signed) ?? new Uint8Array());
  return changing(label, () => ({ person: statement.signer.person, statement: { digest, envelope: signed, key: { id: statement.signer.key, kind: statement.signer.key_kind } }, ...says(statement) }))(told);
};

const objectIn = (value: unknown): JsonObject => (isJsonObject(value as JsonObject) ? (value as JsonObject) : {});

/** What was held, with another account of the edit: the basis that people sign stays as it was. */
function withHeldEdit(told: ToldLedger, change: (edited: JsonObject) => Json): ToldLedger {
  const item = told.contents.find(({ digest }) => digest === eventOf(told, 'narrow requested').predicate['held_digest']);
  if (!item || !isJsonObject(item.value)) throw new Error('Nothing was held.');
  const altered = contentItem(sha256, fromBase64(item.salt) ?? new Uint8Array(16), { ...item.value, edited: change(objectIn(item.value.edited)) });
  return changing('narrow requested', () => ({ held_digest: altered.digest }))({ ...told, contents: told.contents.map((one) => (one === item ? altered : one)) });
}

/** What somebody does who holds the services' keys, or one that is not theirs to edit with, to edits of held actions. */
export const tamperedEdits: readonly Tampering[] = [
  {
    name: 'an action is said to be edited by somebody else', history: (told) => changing('narrow held', ({ edited_from }) => ({ edited_from: { ...objectIn(edited_from), by: told.cast.people.rita } }))(told),
    verify: { check: 'votes', at: 'narrow held', says: 'not the one that the person’s edit names' }, ...signedAnew,
  },
  { name: 'an edit is signed by somebody who was not asked', history: editedBy('rita', () => ({})), verify: { check: 'votes', at: label, says: 'edited by somebody to whom it was not routed' }, ...signedAnew },
  { name: 'an edit is signed by a key that the roster does not list', history: editedBy('abe', () => ({}), 'stranger'), verify: { check: 'votes', at: label, says: 'does not list this key' }, ...signedAnew },
  { name: 'an edit is on another basis than was asked', history: editedBy('abe', () => ({ basis_digest: 'a'.repeat(64) as Digest })), verify: { check: 'votes', at: label, says: 'on another basis' }, ...signedAnew },
  {
    name: 'an edit is of another request than was signed', history: editedBy('abe', (told) => ({ request: eventOf(told, 'copy requested').predicate['approval'] as ApprovalId })),
    verify: { check: 'votes', at: label, says: 'states another edit than the signature' }, ...signedAnew,
  },
  {
    name: 'an action is edited to something else than was signed', history: editedBy('abe', (told) => ({ parameters_digest: eventOf(told, 'narrow held').predicate['snapshot_digest'] as Digest }), 'abe', ({ parameters_digest }) => ({ parameters_digest })),
    verify: { check: 'votes', at: 'narrow held', says: 'other parameters than the person signed' }, ...signedAnew,
  },
  {
    name: 'an edit goes on as another action', history: (told) => changing(label, () => ({ edited: objectIn(eventOf(told, 'copy held').predicate['action'])['id'] }))(told),
    verify: { check: 'votes', at: 'narrow held', says: 'not the one that the person’s edit names' }, ...signedAnew,
  },
  { name: 'an action is edited and nobody signed that', history: without(label), verify: { check: 'votes', at: 'narrow held', says: 'nobody signed that' }, fsck: consistent, pins: shorter },
  {
    name: 'an edited action is said to come from another one', history: (told) => changing('narrow held', ({ edited_from }) => ({ edited_from: { ...objectIn(edited_from), action: eventOf(told, 'copy held').predicate['action'] } }))(told),
    verify: { check: 'votes', at: 'narrow held', says: 'another action than it came from' }, ...signedAnew,
  },
  {
    name: 'whoever is asked about an edited action is shown another one as the one before it', history: (told) => withHeldEdit(told, (edited) => ({ ...edited, parameters: { path: 'other.txt' } })),
    verify: { check: 'votes', at: 'narrow held', says: 'was not told what it was before' }, ...signedAnew,
  },
  { name: 'an edited action’s request goes on all the same', history: changing('wide superseded', () => ({ state: 'expired' })), verify: { check: 'votes', at: 'narrow held', says: 'its request ended expired' }, ...signedAnew },
  { name: 'a request is approved as it was before the edit', history: changing('wide superseded', () => ({ state: 'approved' })), verify: { check: 'votes', at: label, says: 'was edited, and ended approved' }, ...signedAnew },
];
