import { assembleBundle } from '@/lib/ledger/assemble-bundle';
import { bundleBytes, type AbsentContent, type BundlePolicy } from '@/lib/ledger/bundle';
import { sealBundle } from '@/lib/ledger/bundle-manifest';
import { parseCheckpoint } from '@/lib/ledger/checkpoint';
import { sealsIn, type ContentItem } from '@/lib/ledger/content';
import { contentReferences } from '@/lib/ledger/content-references';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import type { ContentStore } from '@/lib/ports/content-store';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import { parseEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { Digest, SessionId, WorkspaceId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { leavesOfRange, singleLeaves } from './exported-leaves';

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

/** Positions `from` (included, 0 when left out) to `to` (excluded; left out: up to the newest checkpoint), or one session's receipts. */
export type ExportWanted = {
  readonly from?: number;
  readonly to?: number;
  readonly session?: SessionId;
  /** Leaves out all content; digests and proofs stay whole. */
  readonly withhold: boolean;
  /** The database's time. */
  readonly now: string;
};

export type Exported = { readonly bytes: Uint8Array; readonly from: number; readonly to: number; readonly size: number; readonly receipts: number };

/** Checkpoints inside the range that go along, newest first: each is one more place where another history would show. */
const maxCheckpoints = 256;

/**
 * One file that verifies without us. Read without a lock: what a checkpoint covers never changes. Failures: `invalid_input`
 * (no such range), `not_found` (no checkpoint covers it, or no such session), `ledger_broken` (a stored row cannot be read).
 */
export async function exportBundle(parts: ExportParts, wanted: ExportWanted): Promise<Result<Exported>> {
  const range = await rangeOf(parts, wanted);
  if (!range.ok) return range;
  const { from, to, size, note } = range.value;
  const leaves = await leavesOfRange(parts.log, from, to);
  if (!leaves.ok) return leaves;
  const single = await singleLeaves(parts.log, leaves.value, { from, to, size }, wanted.session);
  if (!single.ok) return single;
  const all = [...single.value, ...leaves.value];
  if (all.length === 0) return fail('not_found', 'There are no such receipts.');
  const bodies: ReceiptBody[] = [];
  for (const { envelope, index } of all) {
    const body = readStatement(parts.sha256, envelope);
    if (!body.ok) return fail('ledger_broken', `The receipt at ${index} cannot be read: ${body.error.detail}`, { fix: 'Run "countersign fsck".', cause: body.error });
    bodies.push(body.value);
  }
  const documents = await documentsOf(parts.authority, bodies);
  if (!documents.ok) return documents;
  const contents = await contentsOf(parts.content, bodies, wanted.withhold);
  const material = { leaves: leaves.value, single: single.value, checkpoints: [...(await checkpointsInside(parts.log, from, to, size)), note], ...documents.value, ...contents };
  const assembled = await assembleBundle(parts.sha256, parts.log.hashes, { from, to, size }, material);
  const facts = {
    workspace: parts.workspace,
    range: { from, to },
    size,
    created_at: wanted.now,
    product_version: parts.productVersion,
    ...(wanted.session === undefined ? {} : { session: wanted.session }),
  };
  const bundle = await sealBundle(parts.sha256, assembled, facts, parts.signer);
  return ok({ bytes: bundleBytes(bundle), from, to, size, receipts: all.length });
}

async function rangeOf({ log }: ExportParts, { from = 0, to, session }: ExportWanted) {
  if (!Number.isSafeInteger(from) || from < 0 || (to !== undefined && (!Number.isSafeInteger(to) || to <= from))) {
    return fail('invalid_input', 'The range is not one.', { fix: 'Give two positions, the first one smaller.' });
  }
  const covering = to === undefined || session !== undefined ? await log.latestCheckpoint() : await log.checkpointCovering(BigInt(to));
  if (!covering) return fail('not_found', 'No signed checkpoint covers that range yet.', { fix: 'Let the plane run: it signs one with each commit.' });
  const size = Number(covering.size);
  if (session !== undefined && (await log.search({ session }, { limit: 1 })).rows.length === 0) return fail('not_found', 'No receipt names this session.');
  if (session !== undefined) return ok({ from: size, to: size, size, note: covering.note });
  if (from >= size) return fail('invalid_input', `The newest checkpoint covers ${size} receipts.`);
  return ok({ from, to: to ?? size, size, note: covering.note });
}

async function checkpointsInside(log: LedgerReader, from: number, to: number, size: number): Promise<string[]> {
  const rows = await log.checkpoints(maxCheckpoints, BigInt(Math.min(to + 1, size)));
  const notes = rows.map(({ note }) => note).reverse();
  return notes.filter((note) => {
    const head = parseCheckpoint(note);
    return head.ok && head.value.size > from && head.value.size <= to && head.value.size < size;
  });
}

type Documents = { readonly trust_roots: readonly Envelope[]; readonly rosters: readonly Envelope[]; readonly policies: readonly BundlePolicy[] };

/** The documents whose coming into force is among the receipts; what the checkpoint does not cover yet stays out. */
async function documentsOf(authority: AuthorityStore, bodies: readonly ReceiptBody[]): Promise<Result<Documents>> {
  const rootVersions = new Set(bodies.flatMap(({ kind, predicate }) => (kind === 'trust_root_changed' ? [predicate.version] : [])));
  const rosterVersions = new Set(bodies.flatMap(({ kind, predicate }) => (kind === 'roster_changed' ? [predicate.version] : [])));
  const revisions = new Set(bodies.flatMap(({ kind, predicate }) => (kind === 'policy_applied' ? [predicate.revision] : [])));
  const roots = (await authority.trustRoots()).filter(({ version }) => rootVersions.has(version)).sort((a, b) => a.version - b.version);
  const rosters = (await authority.rosters()).filter(({ version }) => rosterVersions.has(version)).sort((a, b) => a.version - b.version);
  const policies = (await authority.policies(Number.MAX_SAFE_INTEGER)).filter(({ revision }) => revisions.has(revision)).sort((a, b) => a.revision - b.revision);
  const read: Envelope[] = [];
  for (const text of [...roots.map(({ envelope }) => envelope), ...rosters.map(({ envelope }) => envelope), ...policies.flatMap(({ signature, statement }) => [signature, statement])]) {
    const envelope = parseEnvelope(text);
    if (!envelope.ok) return fail('ledger_broken', 'A stored trust root, roster or policy cannot be read.', { cause: envelope.error });
    read.push(envelope.value);
  }
  const pairs = read.slice(roots.length + rosters.length);
  return ok({
    trust_roots: read.slice(0, roots.length),
    rosters: read.slice(roots.length, roots.length + rosters.length),
    policies: policies.flatMap((_row, at) => {
      const [signature, apply] = pairs.slice(2 * at);
      return signature && apply ? [{ signature, apply }] : [];
    }),
  });
}

/** What the receipts name, and what is sealed inside it. Withheld or erased contents are listed, so that nobody takes them for lost. */
async function contentsOf(
  store: ContentStore,
  bodies: readonly ReceiptBody[],
  withhold: boolean,
): Promise<{ readonly contents: readonly ContentItem[]; readonly absent: readonly AbsentContent[] }> {
  const contents = new Map<Digest, ContentItem>();
  const absent = new Map<Digest, AbsentContent>();
  let wanted: readonly Digest[] = [...new Set(bodies.flatMap(contentReferences))];
  while (wanted.length > 0) {
    const inside = new Set<Digest>();
    for (let at = 0; at < wanted.length; at += contentsAtOnce) {
      const asked = wanted.slice(at, at + contentsAtOnce);
      const found = await store.find(asked);
      for (const digest of asked) {
        const item = found.get(digest);
        if (!item || withhold) absent.set(digest, { digest, why: item ? 'withheld' : 'erased' });
        else contents.set(digest, { digest, salt: item.salt, value: item.value });
        if (item) for (const sealed of sealsIn(item.value)) inside.add(sealed);
      }
    }
    wanted = [...inside].filter((digest) => !contents.has(digest) && !absent.has(digest));
  }
  return { contents: [...contents.values()], absent: [...absent.values()] };
}

const contentsAtOnce = 500;
