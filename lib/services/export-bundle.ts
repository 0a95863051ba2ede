import { assembleBundle } from '@/lib/ledger/assemble-bundle';
import { bundleBytes, maxBundleBytes } from '@/lib/ledger/bundle';
import { sealBundle } from '@/lib/ledger/bundle-manifest';
import { parseCheckpoint } from '@/lib/ledger/checkpoint';
import { contentReferences } from '@/lib/ledger/content-references';
import type { Leaf } from '@/lib/ledger/leaf';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import type { ContentStore } from '@/lib/ports/content-store';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import { mostValues } from '@/lib/shared/canonical-document';
import type { Signer } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { ActionId, Digest, SessionId, WorkspaceId } from '@/lib/shared/ids';
import { hasMoreValues } from '@/lib/shared/many-values';
import { fail, ok, type Result } from '@/lib/shared/result';

import { exportRoom } from './export-room';
import { exportedContents, type Withholding } from './exported-contents';
import { exportedDocuments } from './exported-documents';
import { erasureLeaves, leavesOfRange, singleLeaves, type Selection } from './exported-leaves';

export type ExportParts = {
  readonly workspace: WorkspaceId;
  readonly log: LedgerReader;
  readonly content: ContentStore;
  readonly authority: AuthorityStore;
  readonly sha256: Sha256;
  /** This process's own receipt key. */
  readonly signer: Signer;
  readonly productVersion: string;
};

/** Positions `from` (included, 0 when left out) to `to` (excluded; left out: up to the newest checkpoint), one session's receipts, or one action's case. */
export type ExportWanted = {
  readonly from?: number;
  readonly to?: number;
  readonly session?: SessionId;
  readonly case?: ActionId;
  /** True leaves out all content; digests and proofs stay whole. */
  readonly withhold: boolean;
  /** Leaves out sensitive arguments and what repeats them. */
  readonly withholdSensitive?: boolean;
  /** Single contents that stay out. */
  readonly withholdContents?: readonly Digest[];
  /** The database's time. */
  readonly now: string;
  /** Bytes that the file may have, unless it is what a verifier reads at most. */
  readonly mostBytes?: number;
};

export type Exported = {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly receipts: number;
  /** The session of the selection, also when a case was asked for. */
  readonly session?: SessionId;
  /** How many contents are there and stayed out. */
  readonly withheld: number;
};

/** Checkpoints inside the range that go along, newest first: each is one more place where another history would show. */
const maxCheckpoints = 256;

/**
 * One file that verifies without us. Read without a lock: what a checkpoint covers never changes. Failures: `invalid_input`
 * (no such range), `not_found` (no checkpoint covers it, or no such session or action), `too_large` (with a range that fits),
 * `ledger_broken` (a stored row cannot be read).
 */
export async function exportBundle(parts: ExportParts, wanted: ExportWanted): Promise<Result<Exported>> {
  const range = await rangeOf(parts, wanted);
  if (!range.ok) return range;
  const { from, to, size, note, selection } = range.value;
  const room = exportRoom(from, wanted.mostBytes);
  const leaves = await leavesOfRange(parts.log, from, to, room);
  if (!leaves.ok) return leaves;
  const single = await singleLeaves(parts, selection, size, room);
  if (!single.ok) return single;
  const bodies = readBodies(parts.sha256, [...single.value, ...leaves.value]);
  if (!bodies.ok) return bodies;
  if (bodies.value.length === 0) return fail('not_found', 'There are no such receipts.');
  const documents = await exportedDocuments(parts.authority, bodies.value);
  if (!documents.ok) return documents;
  const contents = await exportedContents(parts.content, bodies.value, withholdingOf(wanted), room);
  if (!contents.ok) return contents;
  const erased = new Set(contents.value.absent.flatMap(({ digest, why }) => (why === 'erased' ? [digest] : [])));
  const erasures = await erasureLeaves(parts.log, sessionsNaming(bodies.value, erased), size, room);
  if (!erasures.ok) return erasures;
  const material = {
    leaves: leaves.value,
    single: withErasures(single.value, erasures.value),
    checkpoints: [...(await checkpointsInside(parts.log, from, to, size)), note],
    ...documents.value,
    ...contents.value,
  };
  const assembled = await assembleBundle(parts.sha256, parts.log.hashes, { from, to, size }, material);
  const session = selection.kind === 'range' ? {} : { session: selection.session };
  const facts = {
    workspace: parts.workspace,
    range: { from, to },
    size,
    created_at: wanted.now,
    product_version: parts.productVersion,
    ...session,
    ...(selection.kind === 'case' ? { case: selection.action } : {}),
  };
  const bytes = bundleBytes(await sealBundle(parts.sha256, assembled, facts, parts.signer));
  // The room was an estimate: what is over, in bytes or in values, would be written, and then read by nobody.
  const measured = exportRoom(from);
  measured.reached(to);
  const full = measured.take(bytes.length) ?? (hasMoreValues(bytes, mostValues) ? measured.take(maxBundleBytes) : undefined);
  return full ?? ok({ bytes, from, to, size, receipts: assembled.leaves.length + assembled.anchors.length, withheld: contents.value.absent.length - erased.size, ...session });
}

const withholdingOf = ({ withhold, withholdSensitive = false, withholdContents = [] }: ExportWanted): Withholding => ({
  what: withhold ? 'all' : withholdSensitive ? 'sensitive' : 'nothing',
  digests: new Set(withholdContents),
});

function readBodies(sha256: Sha256, leaves: readonly Leaf[]): Result<readonly ReceiptBody[]> {
  const bodies: ReceiptBody[] = [];
  for (const { envelope, index } of leaves) {
    const body = readStatement(sha256, envelope);
    if (!body.ok) return fail('ledger_broken', `The receipt at ${index} cannot be read: ${body.error.detail}`, { fix: 'Run "countersign fsck".', cause: body.error });
    bodies.push(body.value);
  }
  return ok(bodies);
}

/** Sessions of the receipts that name what is gone. What is sealed in an erased content is named by nothing that is left. */
function sessionsNaming(bodies: readonly ReceiptBody[], erased: ReadonlySet<Digest>): ReadonlySet<SessionId> {
  const sessions = new Set<SessionId>();
  if (erased.size === 0) return sessions;
  for (const body of bodies) {
    const session = sessionOf(body);
    if (session !== undefined && contentReferences(body).some((digest) => erased.has(digest))) sessions.add(session);
  }
  return sessions;
}

function sessionOf({ kind, predicate }: ReceiptBody): SessionId | undefined {
  if (kind === 'action_decided') return predicate.identity.session;
  return 'session' in predicate ? predicate.session : undefined;
}

function withErasures(single: readonly Leaf[], erasures: readonly Leaf[]): readonly Leaf[] {
  const known = new Set(single.map(({ index }) => index));
  return [...single, ...erasures.filter(({ index }) => !known.has(index))];
}

type Range = { readonly from: number; readonly to: number; readonly size: number; readonly note: string; readonly selection: Selection };

async function rangeOf({ log }: ExportParts, wanted: ExportWanted): Promise<Result<Range>> {
  const { from = 0, to, session } = wanted;
  if (!Number.isSafeInteger(from) || from < 0 || (to !== undefined && (!Number.isSafeInteger(to) || to <= from))) {
    return fail('invalid_input', 'The range is not one.', { fix: 'Give two positions, the first one smaller.' });
  }
  const selected = session !== undefined || wanted.case !== undefined;
  const covering = to === undefined || selected ? await log.latestCheckpoint() : await log.checkpointCovering(BigInt(to));
  if (!covering) return fail('not_found', 'No signed checkpoint covers that range yet.', { fix: 'Let the plane run: it signs one with each commit.' });
  const size = Number(covering.size);
  const whole = { from: size, to: size, size, note: covering.note };
  if (wanted.case !== undefined) {
    const [decided] = (await log.search({ action: wanted.case, kind: 'action_decided' }, { limit: 1, before: covering.size })).rows;
    if (decided?.session === undefined) return fail('not_found', 'No receipt that a checkpoint covers decides about this action.');
    return ok({ ...whole, selection: { kind: 'case', session: decided.session, action: wanted.case } });
  }
  if (session !== undefined) {
    if ((await log.search({ session }, { limit: 1 })).rows.length === 0) return fail('not_found', 'No receipt names this session.');
    return ok({ ...whole, selection: { kind: 'session', session } });
  }
  if (from >= size) return fail('invalid_input', `The newest checkpoint covers ${size} receipts.`);
  const end = to ?? size;
  return ok({ from, to: end, size, note: covering.note, selection: { kind: 'range', from, to: end } });
}

async function checkpointsInside(log: LedgerReader, from: number, to: number, size: number): Promise<string[]> {
  const rows = await log.checkpoints(maxCheckpoints, BigInt(Math.min(to + 1, size)));
  const notes = rows.map(({ note }) => note).reverse();
  return notes.filter((note) => {
    const head = parseCheckpoint(note);
    return head.ok && head.value.size > from && head.value.size <= to && head.value.size < size;
  });
}
