import type pg from 'pg';

import type { ConsoleReads, DeferralQueueRow, Sight } from '@/lib/ports/console-reads';
import type { ActionId, ApprovalId, DeferralId, SessionId } from '@/lib/shared/ids';
import { impacts } from '@/lib/shared/impact';

import { oneOf, orNull, text, texts, time, type Row } from '../columns';
import { rows, statement } from '../statements';

/**
 * $2 null: everybody's. Else those of the person with this address; those of which one of the groups $3 could supply a fact, by
 * the canonical text that names it; and those that a pending request puts before one of these groups, or that were before them when
 * somebody asked back.
 */
const visible = `FROM "deferrals" d JOIN "actions" a ON a."workspace_id" = d."workspace_id" AND a."id" = d."action_id"
   LEFT JOIN "approvals" p ON p."workspace_id" = d."workspace_id" AND p."action_id" = d."action_id" AND p."state" = 'pending'
   WHERE d."workspace_id" = $1 AND d."state" = 'open' AND ($2::text IS NULL OR a."human" = $2 OR p."approvers" && $3::text[]
     OR d."question" IS NOT NULL AND EXISTS (SELECT 1 FROM "approvals" q WHERE q."workspace_id" = d."workspace_id" AND q."action_id" = d."action_id" AND q."approvers" && $3::text[])
     OR EXISTS (SELECT 1 FROM unnest($3::text[]) AS g("name") WHERE position('"group:' || g."name" || '"' IN d."missing") > 0))`;

const openDeferrals = statement(
  'console_open_deferrals',
  `SELECT d."id", d."action_id", d."session_id", a."agent_id", a."human", a."tool", a."operation", a."impact", d."missing", a."body",
     d."waits_for", d."question", p."id" AS "approval", d."created_at", coalesce(p."expires_at", d."expires_at") AS "expires_at"
   ${visible} ORDER BY coalesce(p."expires_at", d."expires_at"), d."id" LIMIT $4`,
);
const deferredAction = statement('console_deferred_action', `SELECT d."action_id" ${visible} AND d."id" = $4`);

const sightValues = (workspace: string, sight: Sight): readonly unknown[] => [
  workspace,
  sight.kind === 'all' ? null : sight.email,
  sight.kind === 'routed' ? sight.groups : [],
];

export const deferralReads = (pool: pg.Pool, workspace: string): Pick<ConsoleReads, 'deferrals' | 'deferredAction'> => ({
  deferrals: async (sight, limit) => (await rows(pool, openDeferrals, [...sightValues(workspace, sight), limit])).map(readDeferral),
  deferredAction: async (sight, id) => {
    const [row] = await rows(pool, deferredAction, [...sightValues(workspace, sight), id]);
    return row ? (text(row['action_id']) as ActionId) : null;
  },
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
  waits_for: texts(row['waits_for']) as readonly ActionId[],
  question: orNull(text)(row['question']),
  approval: orNull(text)(row['approval']) as ApprovalId | null,
  deferred_at: time(row['created_at']),
  expires_at: time(row['expires_at']),
});
