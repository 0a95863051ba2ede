import { delegationAt } from '@/lib/authority/service-keys';
import type { ReceiptDetail } from '@/lib/contracts/console/receipts';
import type { ReceiptEvidence } from '@/lib/contracts/console/receipt-evidence';
import { isContentWhole, sealsIn } from '@/lib/ledger/content';
import { leafHashOf } from '@/lib/ledger/leaf';
import { parseLeaf } from '@/lib/ledger/parse-leaf';
import { readStatement } from '@/lib/ledger/statement';
import { stockCatalogue } from '@/lib/mediate/stock';
import { parseEnvelope, verifiedSigners, type Envelope } from '@/lib/shared/dsse';
import { digestOf, fromBase64, utf8 } from '@/lib/shared/encoding';
import { isDigest, type Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { checkVotes } from '@/lib/verify/check-votes';
import { pairActions } from '@/lib/verify/pairing';
import { ofKind, type Entry } from '@/lib/verify/parse-entries';
import { redrawVote, type Redrawn } from '@/lib/verify/redraw-vote';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import type { Pairing } from '@/lib/verify/report';
import { readRosterHistory } from '@/lib/verify/roster-history';
import { readTrustHistory, type PlacedRoot } from '@/lib/verify/trust-history';

import { sha256 } from './hash';
import { verifySignature } from './verify-signature';

export type ActionCheckKey = 'all_signed' | 'contents' | 'votes' | 'pairing' | 'rederived';
type ActionCheck = { readonly key: ActionCheckKey; readonly state: 'pass' | 'fail' | 'skipped'; readonly detail: string };

export type JudgedAction = {
  readonly checks: readonly ActionCheck[];
  /** The receipts of the action that could be read, in log order. */
  readonly entries: readonly Entry[];
  readonly pairing: Pairing | null;
  /** What the approver saw, drawn again; null when nobody was asked. */
  readonly redrawn: Redrawn | null;
  /** a and a′ as stored, seals closed; undefined: not stored, or there is none. */
  readonly asked: Json | undefined;
  readonly transformed: Json | undefined;
};

const cryptography = { sha256, verify: verifySignature };
const check = (key: ActionCheckKey, state: ActionCheck['state'], detail: string): ActionCheck => ({ key, state, detail });

/** Judges the whole action that a receipt belongs to, with the same code that judges bundles. Nothing is asked of a server. */
export async function judgeAction({ row, trust_roots }: Pick<ReceiptDetail, 'row' | 'trust_roots'>, evidence: ReceiptEvidence, fingerprint: string | null): Promise<JudgedAction> {
  const { entries: all, broken } = readLeaves(evidence.leaves);
  const entries = all.filter(({ index, body }) => index === row.index || (row.action !== null && body !== undefined && 'action' in body.predicate && body.predicate.action.id === row.action));
  const { roots } = await readTrustHistory(envelopesOf(trust_roots), all, fingerprint !== null && isDigest(fingerprint) ? fingerprint : undefined, cryptography);
  const { rosters } = await readRosterHistory(envelopesOf(evidence.rosters), all, roots, cryptography);
  // Content that is not what its digest says is nobody's: it is named as such, and used for nothing.
  const whole = evidence.contents.filter((item) => isContentWhole(sha256, item));
  const contents = new Map(whole.map(({ digest, value }) => [digest, value]));
  const pairing = row.action === null ? null : (pairActions(entries).find(({ action }) => action === row.action) ?? null);
  const decided = ofKind(entries, 'action_decided').findLast(({ index }) => index <= row.index)?.predicate;
  const action = entries.flatMap(({ body }) => (body && 'action' in body.predicate ? [body.predicate.action.digest] : []))[0];
  const checks: ActionCheck[] = [await checkSigned(entries, roots, broken), checkContents(evidence, whole.length)];
  if (ofKind(entries, 'approval_voted').length > 0) {
    const { state, detail } = await checkVotes(all, roots, rosters, whole, cryptography);
    checks.push(check('votes', state === 'unknown' ? 'skipped' : state, detail));
  }
  if (pairing !== null) checks.push(evidence.cut ? check('pairing', 'skipped', 'It has more receipts than fit here: export a bundle.') : check('pairing', pairing.broken ? 'fail' : 'pass', pairing.detail));
  if (row.kind === 'action_decided') checks.push(rederived(entries, row.index, contents, evidence));
  return {
    checks,
    entries,
    pairing,
    redrawn: redrawnFor(entries, row.index, { contents: whole, absent: evidence.absent }),
    asked: action && contents.get(action),
    transformed: decided?.transformed_digest && contents.get(decided.transformed_digest),
  };
}

function readLeaves(texts: readonly string[]): { readonly entries: readonly Entry[]; readonly broken: number } {
  const entries = texts.flatMap((text): Entry[] => {
    const leaf = parseLeaf(text);
    if (!leaf.ok) return [];
    const body = readStatement(sha256, leaf.value.envelope);
    return [{
      index: leaf.value.index, leaf: leaf.value, leafHash: leafHashOf(sha256, text), anchor: false,
      body: body.ok ? body.value : undefined, fault: body.ok ? undefined : body.error.detail,
    }];
  });
  return { entries, broken: texts.length - entries.length };
}

const envelopesOf = (texts: readonly string[]): readonly Envelope[] =>
  texts.flatMap((text) => {
    const parsed = parseEnvelope(text);
    return parsed.ok ? [parsed.value] : [];
  });

async function checkSigned(entries: readonly Entry[], roots: readonly PlacedRoot[], broken: number): Promise<ActionCheck> {
  if (broken > 0) return check('all_signed', 'fail', `${broken} ${broken === 1 ? 'leaf cannot' : 'leaves cannot'} be read.`);
  for (const { index, leaf, fault } of entries) {
    if (fault !== undefined) return check('all_signed', 'fail', `Receipt ${index.toLocaleString('en')}: ${fault}`);
    const [signature] = leaf.envelope.signatures;
    const delegation = signature && delegationAt(roots, signature.keyid, index);
    const key = delegation?.state === 'delegated' ? fromBase64(delegation.service.key.public_key) : undefined;
    const signers = signature && key ? await verifiedSigners(leaf.envelope, new Map([[signature.keyid, key]]), verifySignature) : undefined;
    if (signers?.size !== 1) return check('all_signed', 'fail', `Receipt ${index.toLocaleString('en')} is not signed by a key delegated at its position.`);
  }
  return check('all_signed', 'pass', entries.length === 1 ? 'One receipt' : `${entries.length} receipts`);
}

function checkContents({ contents, absent }: ReceiptEvidence, whole: number): ActionCheck {
  const altered = contents.find((item) => !isContentWhole(sha256, item));
  if (altered) return check('contents', 'fail', `Content ${altered.digest.slice(0, 8)} is not what its digest says.`);
  if (absent.length > 0) return check('contents', 'skipped', `${absent.length} of ${whole + absent.length} erased`);
  return check('contents', 'pass', whole === 1 ? 'One content' : `${whole} contents`);
}

function rederived(entries: readonly Entry[], index: number, contents: ReadonlyMap<Digest, Json>, { policies }: ReceiptEvidence): ActionCheck {
  const cannot = (why: string) => check('rederived', 'skipped', `Cannot be re-derived: ${why}`);
  const decided = ofKind(entries, 'action_decided').find((one) => one.index === index)?.predicate;
  if (!decided) return cannot('the decision cannot be read.');
  if (decided.snapshot_digest === null || decided.policy === null) return cannot(`the engine was not asked (${decided.code}).`);
  const action = contents.get(decided.action.digest);
  const snapshot = contents.get(decided.snapshot_digest);
  if (action === undefined || snapshot === undefined) return cannot(`the ${action === undefined ? 'action' : 'snapshot'} is erased.`);
  const wanted = decided.policy.digest;
  const policy = policies.find(({ digest, text }) => digest === wanted && digestOf(sha256, utf8(text)) === wanted);
  if (!policy) return cannot('the policy is not the text that the receipt names.');
  if (sealsIn(action).length > 0) return cannot('it has sealed arguments. A bundle has them.');
  const transformed = decided.transformed_digest === undefined ? undefined : contents.get(decided.transformed_digest);
  const { state, detail } = rederiveWith(sha256, stockCatalogue(sha256))({ decided, action, snapshot, policyText: policy.text, transformed });
  if (state === 'cannot') return cannot(detail);
  return state === 'reproduced' ? check('rederived', 'pass', `r${decided.policy.revision} says the same`) : check('rederived', 'fail', detail);
}

/** Of a vote or a request its own screen; of any other receipt that of the latest vote, or of the request while nobody has voted. */
function redrawnFor(entries: readonly Entry[], index: number, material: Parameters<typeof redrawVote>[2]): Redrawn | null {
  const asked = (of: Entry) => of.body?.kind === 'approval_voted' || of.body?.kind === 'approval_requested';
  const own = entries.find((entry) => entry.index === index && asked(entry));
  const body = (own ?? entries.findLast(({ body: one }) => one?.kind === 'approval_voted') ?? entries.findLast(asked))?.body;
  return body?.kind === 'approval_voted' || body?.kind === 'approval_requested' ? redrawVote(body.predicate, entries, material, sha256) : null;
}
