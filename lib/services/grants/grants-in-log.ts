import type { GrantStatement } from '@/lib/authority/owner-statements';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { verifyGrant } from '@/lib/authority/verify-grant';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { GrantId, ReceiptId } from '@/lib/shared/ids';

import type { Proving } from '../proven-place';
import { provenReceipt } from '../proven-receipt';
import { unreadReceipts } from '../unread-receipts';

/** A grant that owners of the root in force have signed, as the log tells it. It may have run out, or be used up. */
export type LoggedGrant = {
  readonly terms: GrantStatement;
  readonly issued_at: string;
  readonly receipt: ReceiptId;
  /** Executions that the log counts. */
  readonly used: number;
};

type Issued = { readonly row: LogRow; readonly body: ReceiptPredicate<'grant_issued'> };

const kinds = ['grant_issued', 'grant_revoked', 'grant_consumed'] as const;

/**
 * Reads grants from the log; each call reads only what came since the last. A row of the table gives nothing: a grant counts when a
 * service of this workspace logged it and enough owners of the root of now signed it. What revokes or counts one holds as it stands, so
 * that nobody can wish it away by a bad signature. `used` reads no more than how often they were used; `ended` is what the last look found.
 */
export function grantsInLog(log: Pick<LedgerReader, 'search'>, cryptography: Proving): { readonly standing: (root: TrustRoot | null, size: bigint) => Promise<readonly LoggedGrant[]>; readonly used: (size: bigint) => Promise<ReadonlyMap<GrantId, number>>; readonly ended: () => ReadonlySet<GrantId> } {
  const issued = new Map<GrantId, Issued>();
  const ended = new Set<GrantId>();
  const used = new Map<GrantId, number>();
  const seen = { grant_issued: -1n, grant_revoked: -1n, grant_consumed: -1n };
  /** Verdicts under one root; another root judges anew. */
  let judged: { readonly root: TrustRoot; readonly terms: Map<GrantId, GrantStatement | null> } | undefined;
  let reading: Promise<void> = Promise.resolve();

  function take(row: LogRow): void {
    const envelope = parseEnvelope(row.envelope);
    const body = envelope.ok ? readStatement(cryptography.sha256, envelope.value) : envelope;
    if (!body.ok) return;
    const { kind, predicate } = body.value;
    // The first one counts: a later receipt under the same id gives no more.
    if (kind === 'grant_issued' && !issued.has(predicate.grant)) issued.set(predicate.grant, { row, body: predicate });
    if (kind === 'grant_revoked') ended.add(predicate.grant);
    if (kind === 'grant_consumed') used.set(predicate.grant, Math.max(used.get(predicate.grant) ?? 0, predicate.use));
  }

  // One look at a time: two at once would take the same rows in, and forget in between how far they got.
  const read = (which: readonly (typeof kinds)[number][], size: bigint): Promise<void> => {
    reading = reading.catch(() => undefined).then(async () => {
      for (const kind of which) {
        for (const row of await unreadReceipts(log, kind, seen[kind], size)) {
          take(row);
          seen[kind] = row.index;
        }
      }
    });
    return reading;
  };

  async function judge({ row, body }: Issued, root: TrustRoot): Promise<GrantStatement | null> {
    if (!(await provenReceipt(row, root, cryptography)).ok) return null;
    const signed = await verifyGrant(body.envelope, root, cryptography);
    return signed.ok && signed.value.terms.grant === body.grant ? signed.value.terms : null;
  }

  return {
    ended: () => new Set(ended),
    used: async (size) => {
      await read(['grant_consumed'], size);
      return used;
    },
    standing: async (root, size) => {
      if (!root) return [];
      await read(kinds, size);
      if (judged?.root !== root) judged = { root, terms: new Map() };
      const verdicts = judged.terms;
      const found: LoggedGrant[] = [];
      for (const [grant, one] of issued) {
        if (ended.has(grant)) continue;
        let terms = verdicts.get(grant);
        if (terms === undefined) {
          terms = await judge(one, root);
          verdicts.set(grant, terms);
        }
        if (terms) found.push({ terms, issued_at: one.body.at, receipt: one.body.receipt, used: used.get(grant) ?? 0 });
      }
      return found;
    },
  };
}
