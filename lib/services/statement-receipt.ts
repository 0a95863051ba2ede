import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import type { ContentStore } from '@/lib/ports/content-store';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import type { SessionRow } from '@/lib/ports/session-store';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { Proving } from './proven-place';
import { provenAt } from './proven-receipt';

export type StatementParts = {
  readonly reader: LedgerReader;
  readonly cryptography: Proving;
  readonly authority: Pick<AuthorityStore, 'rosters'>;
  readonly content: ContentStore;
};

type Stated = Extract<ReceiptBody, { readonly kind: 'label_lowered' | 'attributes_supplied' | 'approval_edited' }>;
const page = 100;

/** The receipt that states a session's head after a step by a person, as a service signed it where it stands. */
export async function statementReceipt({ reader, cryptography }: StatementParts, root: TrustRoot, row: SessionRow, kind: Stated['kind'], head: Digest): Promise<Result<{ readonly receipt: LogRow; readonly body: Stated }>> {
  for (let before: bigint | undefined; ; ) {
    const { rows, next }: { readonly rows: readonly LogRow[]; readonly next: bigint | null } = await reader.search({ session: row.id, kind }, { limit: page, ...(before === undefined ? {} : { before }) });
    for (const receipt of rows) {
      const read = await provenAt(receipt, root, cryptography);
      if (!read.ok) return read;
      const body = read.value;
      if (body.kind !== 'label_lowered' && body.kind !== 'attributes_supplied' && body.kind !== 'approval_edited') continue;
      if (body.kind === kind && body.predicate.context_head === head && body.predicate.session === row.id) return ok({ receipt, body });
    }
    if (next === null) return fail('ledger_broken', `No receipt of session ${row.id} holds what a person signed for a step of it.`, { fix: 'Run "countersign fsck".' });
    before = next;
  }
}
