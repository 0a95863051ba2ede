import type pg from 'pg';

import { isReceiptKind } from '@/lib/ledger/receipt-predicate';
import type { ActionReceipt, ConsoleReads } from '@/lib/ports/console-reads';
import type { ActionId } from '@/lib/shared/ids';

import { orNull, text, UnreadableRow, type Row } from '../columns';
import { rows, statement } from '../statements';

/** Envelopes are long, and only the end of a request has to be read. */
const receiptsOfActions = statement(
  'console_receipts_of_actions',
  `SELECT "action_id", "kind", "decision", CASE WHEN "kind" = 'approval_resolved' THEN "envelope" END AS "envelope"
   FROM "receipts" WHERE "workspace_id" = $1 AND "action_id" = ANY($2::text[]) ORDER BY "index" LIMIT 20000`,
);

export const pairingReads = (pool: pg.Pool, workspace: string): Pick<ConsoleReads, 'receiptsOfActions'> => ({
  receiptsOfActions: async (actions) => (actions.length === 0 ? [] : (await rows(pool, receiptsOfActions, [workspace, actions])).map(readActionReceipt)),
});

function readActionReceipt(row: Row): ActionReceipt {
  const kind = text(row['kind']);
  if (!isReceiptKind(kind)) throw new UnreadableRow('a known kind of receipt', kind);
  return { action: text(row['action_id']) as ActionId, kind, decision: orNull(text)(row['decision']), envelope: orNull(text)(row['envelope']) };
}
