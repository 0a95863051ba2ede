import type pg from 'pg';

import { decisionKinds } from '@/lib/mediate/catalogue';
import type { AgentCounts, ConsoleReads, DecisionCounts } from '@/lib/ports/console-reads';
import type { ApprovalId } from '@/lib/shared/ids';

import { int, orNull, text, time, type Row } from '../columns';
import { rows, statement } from '../statements';

type DecisionReads = Pick<ConsoleReads, 'waiting' | 'decisionsPerMinute' | 'denialsByCode' | 'agentCounts'>;

const waiting = statement(
  'console_waiting',
  `SELECT count(*)::int AS "approvals", min(p."created_at") AS "oldest",
     count(*) FILTER (WHERE v."given" >= 1 AND v."given" < p."quorum")::int AS "need_second",
     (SELECT count(*)::int FROM "deferrals" d WHERE d."workspace_id" = $1 AND d."state" = 'open') AS "deferred"
   FROM "approvals" p
   LEFT JOIN LATERAL (SELECT count(*)::int AS "given" FROM "votes" v WHERE v."workspace_id" = p."workspace_id" AND v."approval_id" = p."id" AND v."verdict" = 'approve') v ON true
   WHERE p."workspace_id" = $1 AND p."state" = 'pending'`,
);
const nextToExpire = statement(
  'console_next_expiry',
  `SELECT p."id", a."tool", a."operation", p."expires_at" FROM "approvals" p
   JOIN "actions" a ON a."workspace_id" = p."workspace_id" AND a."id" = p."action_id"
   WHERE p."workspace_id" = $1 AND p."state" = 'pending' ORDER BY p."expires_at" LIMIT 1`,
);
/**
 * Receipts, not actions: an action that is decided again counts each time. Only the newest receipts are looked at, so that
 * the chart costs the same however long the log is; beyond that many an hour it shows the last of them.
 */
const perMinute = statement(
  'console_decisions_per_minute',
  `SELECT m."at", ${decisionKinds.map((kind) => `count(*) FILTER (WHERE r."decision" = '${kind}')::int AS "${kind}"`).join(', ')}
   FROM generate_series(date_trunc('minute', clock_timestamp()) - make_interval(mins => $2 - 1), date_trunc('minute', clock_timestamp()), interval '1 minute') AS m("at")
   LEFT JOIN (
     SELECT date_trunc('minute', "at") AS "minute", "decision" FROM "receipts"
     WHERE "workspace_id" = $1 AND "kind" = 'action_decided' AND "index" >= (SELECT "size" - 50000 FROM "ledger_heads" WHERE "workspace_id" = $1)
   ) r ON r."minute" = m."at"
   GROUP BY m."at" ORDER BY m."at"`,
);
const denials = statement(
  'console_denials_by_code',
  `SELECT "code", count(*)::int AS "count" FROM "actions"
   WHERE "workspace_id" = $1 AND "state" IN ('denied', 'expired') AND "changed_at" >= clock_timestamp() - make_interval(hours => $2)
   GROUP BY "code" ORDER BY count(*) DESC, "code" LIMIT 50`,
);
const byAgent = statement(
  'console_agent_counts',
  `SELECT "agent_id", count(*)::int AS "decided", count(*) FILTER (WHERE "decision" = 'STEP_UP')::int AS "held",
     count(*) FILTER (WHERE "state" IN ('denied', 'expired'))::int AS "denied"
   FROM "actions" WHERE "workspace_id" = $1 AND "proposed_at" >= clock_timestamp() - make_interval(hours => $2)
   GROUP BY "agent_id" ORDER BY "agent_id" LIMIT 500`,
);

export const decisionReads = (pool: pg.Pool, workspace: string): DecisionReads => ({
  waiting: async () => {
    const [counted] = await rows(pool, waiting, [workspace]);
    const [next] = await rows(pool, nextToExpire, [workspace]);
    return {
      approvals: int(counted?.['approvals']),
      need_second: int(counted?.['need_second']),
      oldest_held_at: orNull(time)(counted?.['oldest']),
      deferred: int(counted?.['deferred']),
      next: next
        ? {
            approval: text(next['id']) as ApprovalId,
            tool: text(next['tool']),
            operation: text(next['operation']),
            expires_at: time(next['expires_at']),
          }
        : null,
    };
  },
  decisionsPerMinute: async (minutes) =>
    (await rows(pool, perMinute, [workspace, minutes])).map((row) => ({ at: time(row['at']), counts: readCounts(row) })),
  denialsByCode: async (hours) =>
    (await rows(pool, denials, [workspace, hours])).map((row) => ({ code: text(row['code']), count: int(row['count']) })),
  agentCounts: async (hours) => (await rows(pool, byAgent, [workspace, hours])).map(readAgent),
});

const readCounts = (row: Row): DecisionCounts => ({
  ALLOW: int(row['ALLOW']),
  MODIFY: int(row['MODIFY']),
  STEP_UP: int(row['STEP_UP']),
  DEFER: int(row['DEFER']),
  DENY: int(row['DENY']),
});

const readAgent = (row: Row): AgentCounts => ({
  id: text(row['agent_id']),
  decided: int(row['decided']),
  held: int(row['held']),
  denied: int(row['denied']),
});
