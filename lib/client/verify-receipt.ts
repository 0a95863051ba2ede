import { serviceKeyAt, serviceKeysOf } from '@/lib/authority/service-keys';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { recoveryNoticeSeconds, verifyTrustRootChain } from '@/lib/authority/verify-trust-root';
import type { ReceiptDetail } from '@/lib/contracts/console/receipts';
import { checkpointKey, originOf, parseCheckpointText } from '@/lib/ledger/checkpoint';
import { parseInclusionDocument } from '@/lib/ledger/inclusion-document';
import { leafHashOf, previousOf, type Leaf } from '@/lib/ledger/leaf';
import { verifyInclusion } from '@/lib/ledger/merkle/verify-proof';
import { parseNote, verifyNote } from '@/lib/ledger/note';
import { parseLeaf } from '@/lib/ledger/parse-leaf';
import { readStatement } from '@/lib/ledger/statement';
import { envelopeText, parseEnvelope, verifiedSigners, type Envelope } from '@/lib/shared/dsse';
import { fromBase64, toHex, utf8 } from '@/lib/shared/encoding';
import { isDigest } from '@/lib/shared/ids';

import { differenceOfRow } from './difference-of-row';
import { sha256 } from './hash';
import { verifySignature } from './verify-signature';

export const receiptChecks = ['trust_root', 'signature', 'statement', 'row', 'leaf', 'link', 'inclusion'] as const;
export type ReceiptCheckKey = (typeof receiptChecks)[number];

/** `detail` says what was found; for a failure what was expected and what was there. */
export type ReceiptCheck = { readonly key: ReceiptCheckKey; readonly state: 'pass' | 'fail' | 'skipped'; readonly detail: string };

const verdict = (key: ReceiptCheckKey, state: ReceiptCheck['state'], detail: string): ReceiptCheck => ({ key, state, detail });

/** `previousLeaf`: the text of the leaf before; null when the server gave none. */
export type ReceiptToCheck = Pick<ReceiptDetail, 'envelope' | 'leaf' | 'proof' | 'trust_roots'> & {
  readonly row: Pick<ReceiptDetail['row'], 'index' | 'id' | 'kind' | 'at' | 'session' | 'action' | 'agent' | 'tool' | 'operation' | 'decision' | 'revision' | 'rules'>;
  readonly previousLeaf: string | null;
};

/**
 * Checks one receipt with nothing but its own bytes and the fingerprint that this browser knows. `fingerprint` null: the
 * chain of roots is followed from itself, which shows consistency and not who issued it, so that check is skipped.
 */
export async function verifyReceipt(receipt: ReceiptToCheck, fingerprint: string | null): Promise<readonly ReceiptCheck[]> {
  const leaf = parseLeaf(receipt.leaf);
  const envelope = parseEnvelope(receipt.envelope);
  if (!leaf.ok || !envelope.ok) {
    return [verdict('leaf', 'fail', 'The leaf or its envelope is not written as the log writes them. Distrust this receipt.')];
  }
  const { root, check } = await checkRoots(receipt, fingerprint);
  return [
    check,
    root ? await checkSignature(envelope.value, root, leaf.value.index) : verdict('signature', 'skipped', 'Without a trust root no key is known.'),
    checkStatement(envelope.value),
    checkRow(receipt, envelope.value),
    checkLeaf(receipt, leaf.value, envelope.value),
    checkLink(receipt, leaf.value),
    root ? await checkInclusion(receipt, leaf.value, root) : verdict('inclusion', 'skipped', 'Without a trust root no checkpoint key is known.'),
  ];
}

async function checkRoots({ trust_roots }: ReceiptToCheck, fingerprint: string | null): Promise<{ readonly root: TrustRoot | null; readonly check: ReceiptCheck }> {
  const envelopes = trust_roots.flatMap((text) => {
    const parsed = parseEnvelope(text);
    return parsed.ok ? [parsed.value] : [];
  });
  const first = envelopes[0] && fromBase64(envelopes[0].payload);
  const stated = first && toHex(sha256(first));
  if (envelopes.length !== trust_roots.length || stated === undefined || !isDigest(stated)) {
    return { root: null, check: verdict('trust_root', 'fail', 'The trust root cannot be read.') };
  }
  const wanted = fingerprint !== null && isDigest(fingerprint) ? fingerprint : stated;
  let isRecovered = false;
  const chain = await verifyTrustRootChain(envelopes, wanted, { verify: verifySignature, sha256 }, () => {
    isRecovered = true;
    return recoveryNoticeSeconds;
  });
  if (!chain.ok) return { root: null, check: verdict('trust_root', 'fail', chain.error.detail) };
  const { root } = chain.value;
  const known = fingerprint === null ? verdict('trust_root', 'skipped', 'This browser was not told its fingerprint') : verdict('trust_root', 'pass', `Version ${root.version}`);
  // One receipt cannot show a day in which nobody cancelled; a whole export can.
  return { root, check: isRecovered ? verdict('trust_root', 'skipped', 'The recovery key replaced its owners; only an export shows the notice before that') : known };
}

async function checkSignature(envelope: Envelope, root: TrustRoot, index: number): Promise<ReceiptCheck> {
  for (const { keyid } of envelope.signatures) {
    const service = serviceKeyAt(root, keyid, index);
    const key = service && fromBase64(service.key.public_key);
    if (!service || !key) continue;
    const signers = await verifiedSigners(envelope, new Map([[keyid, key]]), verifySignature);
    return signers.has(keyid) ? verdict('signature', 'pass', `Ed25519, ${service.role} key ${keyid.slice(0, 8)}`) : verdict('signature', 'fail', `Key ${keyid.slice(0, 8)} did not sign these bytes.`);
  }
  return verdict('signature', 'fail', `No key that the trust root delegates at position ${index} has signed it.`);
}

function checkStatement(envelope: Envelope): ReceiptCheck {
  const statement = readStatement(sha256, envelope);
  return statement.ok ? verdict('statement', 'pass', statement.value.kind) : verdict('statement', 'fail', statement.error.detail);
}

/** Lists and filters run on columns beside the envelope, which no signature covers: whoever changes one of them is found here. */
function checkRow({ row }: ReceiptToCheck, envelope: Envelope): ReceiptCheck {
  const statement = readStatement(sha256, envelope);
  if (!statement.ok) return verdict('row', 'skipped', 'The statement cannot be read');
  const difference = differenceOfRow(row, statement.value);
  return difference === undefined ? verdict('row', 'pass', 'Same as signed') : verdict('row', 'fail', difference);
}

function checkLeaf({ row }: ReceiptToCheck, leaf: Leaf, envelope: Envelope): ReceiptCheck {
  if (leaf.index !== row.index) return verdict('leaf', 'fail', `Expected position ${row.index}, found ${leaf.index}.`);
  if (envelopeText(leaf.envelope) !== envelopeText(envelope)) return verdict('leaf', 'fail', 'The leaf holds another envelope than the one shown.');
  return verdict('leaf', 'pass', `Position ${leaf.index}`);
}

function checkLink({ previousLeaf }: ReceiptToCheck, leaf: Leaf): ReceiptCheck {
  if (leaf.index === 0) return leaf.previous === previousOf(undefined) ? verdict('link', 'pass', 'It is the first') : verdict('link', 'fail', 'The first receipt names one before it.');
  if (previousLeaf === null) return verdict('link', 'skipped', `The receipt before, ${leaf.index - 1}, was not sent along`);
  const before = parseLeaf(previousLeaf);
  if (!before.ok || before.value.index !== leaf.index - 1) return verdict('link', 'fail', `What was sent as receipt ${leaf.index - 1} is not that.`);
  const found = previousOf(leafHashOf(sha256, previousLeaf));
  return found === leaf.previous ? verdict('link', 'pass', found.slice(0, 8)) : verdict('link', 'fail', `Expected ${leaf.previous.slice(0, 8)}, found ${found.slice(0, 8)}.`);
}

async function checkInclusion({ proof, leaf: text }: ReceiptToCheck, leaf: Leaf, root: TrustRoot): Promise<ReceiptCheck> {
  if (proof === null) return verdict('inclusion', 'skipped', 'No signed checkpoint covers it yet');
  if (proof === '') return verdict('inclusion', 'fail', 'Receipts are missing from the log, and without them nothing proves that it is in the checkpoint.');
  const document = parseInclusionDocument(proof);
  const note = document.ok ? parseNote(document.value.checkpoint) : document;
  const checkpoint = note.ok ? parseCheckpointText(note.value.text) : note;
  if (!document.ok || !note.ok || !checkpoint.ok) return verdict('inclusion', 'fail', 'The proof cannot be read.');
  const { origin, size, root: head } = checkpoint.value;
  if (origin !== originOf(root.workspace)) return verdict('inclusion', 'fail', 'The checkpoint is another log’s.');
  const keys = serviceKeysOf(root, 'plane', size - 1).flatMap(({ key }) => {
    const bytes = fromBase64(key.public_key);
    return bytes ? [checkpointKey(origin, bytes)] : [];
  });
  const signed = await verifyNote(sha256, verifySignature, note.value, keys);
  if (!signed.ok) return verdict('inclusion', 'fail', signed.error.detail);
  const { index, path } = document.value;
  const included = index === leaf.index && verifyInclusion(sha256, index, size, leafHashOf(sha256, text), path, head);
  if (!included) return verdict('inclusion', 'fail', `The path does not lead to the root of checkpoint ${size}.`);
  return verdict('inclusion', 'pass', `Checkpoint ${size.toLocaleString('en')}, ${path.length} ${path.length === 1 ? 'hash' : 'hashes'}`);
}

/** The bytes of a text as it is stored, for showing how long they are. */
export const byteLength = (text: string): number => utf8(text).length;
