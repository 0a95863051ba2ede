import type pg from 'pg';

import type { ConsoleReads, DeferralQueueRow } from '@/lib/ports/console-reads';
import type { ActionId, DeferralId, SessionId } from '@/lib/shared/ids';
import { impacts } from '@/lib/shared/impact';

import { oneOf, text, time, type Row } from '../columns';
import { rows, statement } from '../statements';

/** $2 null: everybody's. */
const openDeferrals = statement(
  'console_open_deferrals',
  `SELECT d."id", d."action_id", d."session_id", a."agent_id", a."human", a."tool", a."operation", a."impact", d."missing", a."body",
     d."created_at", d."expires_at"
   FROM "deferrals" d JOIN "actions" a ON a."workspace_id" = d."workspace_id" AND a."id" = d."action_id"
   WHERE d."workspace_id" = $1 AND d."state" = 'open' AND ($2::text IS NULL OR a."human" = $2)
   ORDER BY d."expires_at", d."id" LIMIT $3`,
);

export const deferralReads = (pool: pg.Pool, workspace: string): Pick<ConsoleReads, 'deferrals'> => ({
  deferrals: async (sight, limit) => (await rows(pool, openDeferrals, [workspace, sight.kind === 'all' ? null : sight.email, limit])).map(readDeferral),
});

const readDeferral = (row: Row): DeferralQueueRow => ({
  id: text(row['id']) as DeferralId,
  action: text(row['action_id']) as ActionId,
  session: text(row['session_id']) as SessionId,
  agent: text(row['agent_id']),
  human: text(row['human']),
  tool: text(row['tool']),
  operation: text(row['operation']),
  impact: oneOf(impacts)(row['impact']),
  missing: text(row['missing']),
  decision: text(row['body']),
  deferred_at: time(row['created_at']),
  expires_at: time(row['expires_at']),
});
