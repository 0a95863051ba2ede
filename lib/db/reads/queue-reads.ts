import type pg from 'pg';

import { approvalStatuses } from '@/lib/approvals/approval-state';
import type { ConsoleReads, QueueCursor, QueueFilters, QueueRow, Sight } from '@/lib/ports/console-reads';
import type { ActionId, ApprovalId, PersonId, SessionId } from '@/lib/shared/ids';
import { impacts } from '@/lib/shared/impact';

import { int, oneOf, orNull, text, texts, time, type Row } from '../columns';

type QueueReads = Pick<ConsoleReads, 'queue' | 'queueCounts' | 'maySeeApproval' | 'maySeeAction'>;

/** Deferred, now or before, for a fact that one of the groups $3 could supply: they have to hear how it ends. */
const suppliedBy = `SELECT 1 FROM "deferrals" d WHERE d."workspace_id" = $1 AND d."action_id" = $2
  AND EXISTS (SELECT 1 FROM unnest($3::text[]) AS g("name") WHERE position('"group:' || g."name" || '"' IN d."missing") > 0) LIMIT 1`;

/** Collects conditions and their values; the first value is the workspace. */
type Where = { readonly conditions: string[]; readonly values: unknown[]; readonly add: (value: unknown, condition: (parameter: string) => string) => void };

const from = `FROM "approvals" p JOIN "actions" a ON a."workspace_id" = p."workspace_id" AND a."id" = p."action_id"`;

const columns = `p."id", p."action_id", p."session_id", p."impact", p."state", p."approvers", p."quorum", p."held", p."created_at", p."expires_at",
  p."resolved_at", a."agent_id", a."human", a."tool", a."operation",
  (SELECT count(*)::int FROM "votes" v WHERE v."workspace_id" = p."workspace_id" AND v."approval_id" = p."id" AND v."verdict" = 'approve') AS "given",
  ARRAY(SELECT v."person_id" FROM "votes" v WHERE v."workspace_id" = p."workspace_id" AND v."approval_id" = p."id") AS "voted"`;

const sorts = {
  time_left: { column: 'p."expires_at"', direction: 'ASC', of: (row: QueueRow) => row.expires_at },
  oldest: { column: 'p."created_at"', direction: 'ASC', of: (row: QueueRow) => row.held_at },
  newest: { column: 'p."created_at"', direction: 'DESC', of: (row: QueueRow) => row.held_at },
} as const;

export function queueReads(pool: pg.Pool, workspace: string): QueueReads {
  async function exists(sight: Sight, narrow: (where: Where) => void): Promise<boolean> {
    const where = seen(workspace, sight);
    narrow(where);
    return (await pool.query(`SELECT 1 ${from} WHERE ${where.conditions.join(' AND ')} LIMIT 1`, where.values)).rowCount === 1;
  }
  return {
    queue: async (sight, filters, { limit, after }) => {
      const sort = sorts[filters.sort];
      const where = seen(workspace, sight);
      addFilters(where, filters);
      if (after) addCursor(where, sort, after);
      // One more than asked for tells whether there is a page behind this one.
      where.values.push(limit + 1);
      const sql = `SELECT ${columns} ${from} WHERE ${where.conditions.join(' AND ')}
        ORDER BY ${sort.column} ${sort.direction}, p."id" ${sort.direction} LIMIT $${String(where.values.length)}`;
      const found = (await pool.query<Record<string, unknown>>(sql, where.values)).rows.map(readQueueRow);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return { rows: page, next: found.length > limit && last ? { at: sort.of(last), id: last.id } : null };
    },
    queueCounts: async (sight) => {
      const where = seen(workspace, sight);
      const sql = `SELECT count(*) FILTER (WHERE p."state" = 'pending')::int AS "waiting", count(*) FILTER (WHERE p."state" <> 'pending')::int AS "decided"
        ${from} WHERE ${where.conditions.join(' AND ')}`;
      const [row] = (await pool.query<Record<string, unknown>>(sql, where.values)).rows;
      return { waiting: int(row?.['waiting']), decided: int(row?.['decided']) };
    },
    maySeeApproval: (sight, id) => exists(sight, (where) => where.add(id, (p) => `p."id" = ${p}`)),
    maySeeAction: async (sight, id) => {
      if (sight.kind === 'all') return true;
      const own = await pool.query(`SELECT 1 FROM "actions" WHERE "workspace_id" = $1 AND "id" = $2 AND "human" = $3`, [workspace, id, sight.email]);
      if (own.rowCount === 1 || (await exists(sight, (where) => where.add(id, (p) => `p."action_id" = ${p}`)))) return true;
      return sight.kind === 'routed' && (await pool.query(suppliedBy, [workspace, id, sight.groups])).rowCount === 1;
    },
  };
}

function seen(workspace: string, sight: Sight): Where {
  const values: unknown[] = [workspace];
  const conditions = ['p."workspace_id" = $1'];
  const add: Where['add'] = (value, condition) => {
    values.push(value);
    conditions.push(condition(`$${String(values.length)}`));
  };
  if (sight.kind === 'own') add(sight.email, (p) => `a."human" = ${p}`);
  if (sight.kind === 'routed') {
    values.push(sight.groups);
    const groups = `$${String(values.length)}`;
    add(sight.email, (p) => `(p."approvers" && ${groups}::text[] OR a."human" = ${p})`);
  }
  return { conditions, values, add };
}

function addFilters(where: Where, filters: QueueFilters): void {
  if (filters.state === 'waiting') where.conditions.push(`p."state" = 'pending'`);
  if (filters.state === 'decided') where.conditions.push(`p."state" <> 'pending'`);
  if (filters.impact !== undefined) where.add(filters.impact, (p) => `p."impact" = ${p}`);
  if (filters.agent !== undefined) where.add(filters.agent, (p) => `a."agent_id" = ${p}`);
  if (filters.tool !== undefined) where.add(filters.tool, (p) => `a."tool" = ${p}`);
  if (filters.text !== undefined && filters.text !== '') {
    where.add(`%${filters.text.replace(/[\\%_]/g, '\\$&')}%`, (p) => `(a."tool" || '.' || a."operation" || ' ' || a."agent_id" || ' ' || a."human") ILIKE ${p}`);
  }
}

function addCursor(where: Where, sort: (typeof sorts)[keyof typeof sorts], after: QueueCursor): void {
  where.values.push(after.at);
  const at = `$${String(where.values.length)}`;
  where.add(after.id, (id) => `(${sort.column}, p."id") ${sort.direction === 'ASC' ? '>' : '<'} (${at}::timestamptz, ${id})`);
}

const readQueueRow = (row: Row): QueueRow => ({
  id: text(row['id']) as ApprovalId,
  action: text(row['action_id']) as ActionId,
  session: text(row['session_id']) as SessionId,
  agent: text(row['agent_id']),
  human: text(row['human']),
  tool: text(row['tool']),
  operation: text(row['operation']),
  impact: oneOf(impacts)(row['impact']),
  state: oneOf(approvalStatuses)(row['state']),
  approvers: texts(row['approvers']),
  quorum: int(row['quorum']),
  given: int(row['given']),
  voted: texts(row['voted']).map((person) => person as PersonId),
  held: text(row['held']),
  held_at: time(row['created_at']),
  expires_at: time(row['expires_at']),
  resolved_at: orNull(time)(row['resolved_at']),
});
