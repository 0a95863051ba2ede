import { entryHash } from '@/lib/context/entry-hash';
import type { ChainedEntry } from '@/lib/context/entry';
import type { Lineage, SessionState } from '@/lib/context/session-state';
import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { SessionRow } from '@/lib/ports/session-store';
import type { Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { TrustRoot } from '@/lib/authority/trust-root';

import type { InForce } from './in-force';
import { entriesAtOnce, othersTurn } from './others-turn';
import { proveStatements } from './prove-statements';
import type { Proving } from './proven-place';
import { provenReceipt } from './proven-receipt';
import type { StatementParts } from './statement-receipt';

/** Receipts without a head (approvals, votes, refusals) that may stand behind the last one with a head. */
const page = 100;

/** A session as it was proved before. */
export type ProvenBefore = { readonly row: SessionRow; readonly state: Pick<SessionState, 'head' | 'seq' | 'lineage'> };

/**
 * Whether the entries are one unbroken chain that ends in `head`: nobody has taken out, put in or changed one. They go on from
 * what was proved before, else begin the chain.
 */
export async function chainEndsIn(sha256: Sha256, entries: readonly ChainedEntry[], head: Digest, known?: Pick<SessionState, 'head' | 'seq'>): Promise<boolean> {
  let previous: Digest | null = known?.head ?? null;
  const before = known?.seq ?? 0;
  for (const [at, { seq, hash, entry }] of entries.entries()) {
    if (at % entriesAtOnce === entriesAtOnce - 1) await othersTurn();
    if (seq !== before + at + 1 || entryHash(sha256, previous, entry, seq) !== hash) return false;
    previous = hash;
  }
  return previous === head;
}

/**
 * A session is used only when it is the one that was opened, was not closed since, and its chain ends in the head that the
 * newest signed receipt about it states: rows alone could give it another human, or have lost what it has seen. Before there is a root to check by, everything is denied anyway. `conflict`: the
 * session went on while it was read, so it is to be read again; `ledger_broken`: rows and receipts do not agree.
 */
export async function proveSession(
  parts: StatementParts,
  { root }: InForce,
  row: SessionRow,
  entries: readonly ChainedEntry[],
  known?: ProvenBefore,
): Promise<Result<null>> {
  if (!(await chainEndsIn(parts.cryptography.sha256, entries, row.head, known?.state))) return broken(row, 'its entries are not the chain that ends in its head');
  if (!root) return ok(null);
  const life = await proveLife(parts, root.root, row, entries, known);
  if (!life.ok) return life;
  const said = await proveStatements(parts, root.root, row, entries, known?.state.head ?? null);
  if (!said.ok) return said;
  for (let before: bigint | undefined; ; ) {
    const { rows, next }: Awaited<ReturnType<LedgerReader['search']>> = await parts.reader.search({ session: row.id }, { limit: page, ...(before === undefined ? {} : { before }) });
    for (const receipt of rows) {
      const body = await provenReceipt(receipt, root.root, parts.cryptography);
      if (!body.ok) return body;
      const stated = headAfter(body.value);
      if (stated?.context_head === row.head) return ok(null);
      // The row was read before the receipts: what was committed in between shows as a longer chain.
      if (stated && stated.context_seq > row.seq) return fail('conflict', `Session ${row.id} went on while it was read.`);
      if (stated) return broken(row, 'its head is not the one that its newest receipt states');
    }
    if (next === null) return broken(row, 'no receipt states its head');
    before = next;
  }
}

/** For whom, by whom and when it was opened, that it was not closed, and that it was not used later than its last entry says. */
async function proveLife(
  { reader, cryptography }: { readonly reader: LedgerReader; readonly cryptography: Proving },
  root: TrustRoot,
  row: SessionRow,
  entries: readonly ChainedEntry[],
  known: ProvenBefore | undefined,
): Promise<Result<null>> {
  const [openings, closings] = await Promise.all([
    reader.search({ session: row.id, kind: 'session_opened' }, { limit: 1 }),
    reader.search({ session: row.id, kind: 'session_closed' }, { limit: 1 }),
  ]);
  const [receipt] = openings.rows;
  if (!receipt) return broken(row, 'no receipt states its opening');
  const opening = await provenReceipt(receipt, root, cryptography);
  if (!opening.ok) return opening;
  const { kind, predicate } = opening.value;
  const same =
    kind === 'session_opened' && predicate.session === row.id && predicate.human === row.human && predicate.agent === row.agent &&
    predicate.service === row.service && predicate.at === row.opened_at && isOfLineage(row, predicate, known ? known.state.lineage : lineageIn(entries));
  if (!same) return broken(row, 'it is not the one that its receipt says was opened');
  if (row.state === 'closed') return ok(null);
  // Closed between the two reads, or set back to open: another look tells.
  if (closings.rows.length > 0) return fail('conflict', `Session ${row.id} was closed.`);
  const last = entries.at(-1)?.entry.at ?? known?.row.last_at;
  return last !== undefined && row.last_at > last ? broken(row, 'it was last used before its row says so') : ok(null);
}

function lineageIn(entries: readonly ChainedEntry[]): Omit<Lineage, 'parent_seq'> | null {
  const first = entries[0]?.entry;
  return first?.kind === 'inherited' ? first : null;
}

/** The row, the receipt and the chain say the same of what the session is a child of. */
function isOfLineage(row: SessionRow, { parent, delegation }: ReceiptPredicate<'session_opened'>, lineage: Omit<Lineage, 'parent_seq'> | null): boolean {
  if (!lineage) return row.parent === null && parent === undefined && row.began_at === row.opened_at;
  const above = lineage.delegation.map(({ session }) => session);
  return (
    row.parent === lineage.parent && row.began_at === lineage.began_at && parent?.session === lineage.parent &&
    parent.context_head === lineage.parent_head && above.length === delegation.length && above.every((one, at) => one === delegation[at])
  );
}

/** The chain's head after what a receipt states; undefined for kinds that say nothing about it. */
function headAfter(body: ReceiptBody): Pick<ReceiptPredicate<'session_opened'>, 'context_head' | 'context_seq'> | undefined {
  if (body.kind === 'action_decided') return body.predicate.permit ?? body.predicate;
  if (body.kind === 'permit_issued') return body.predicate.permit;
  return 'context_head' in body.predicate ? body.predicate : undefined;
}

const broken = (row: SessionRow, how: string): ReturnType<typeof fail> =>
  fail('ledger_broken', `Session ${row.id} cannot be relied on: ${how}.`, { fix: 'Run "countersign fsck".' });
