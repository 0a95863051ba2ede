import type pg from 'pg';

import type { ReceiptBody, ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { erasedText } from '@/lib/ports/erasure-store';
import { envelopeText } from '@/lib/shared/dsse';

import { int, text, texts, time } from './columns';
import { fault, type LogFault } from './fsck-fault';
import type { ReadRow } from './log-rebuild';

/** One column of a question: its type in SQL, and its value for each receipt. */
type Asked = readonly (readonly [type: 'text' | 'int4' | 'timestamptz', values: readonly (string | number | null)[]])[];

type Terms = { readonly asked: readonly string[]; readonly end: string };

const changedRequest = ({ row }: ReadRow): LogFault => fault('row', row.index, `Whom the row of a request asks, or until when, is something else than receipt ${row.id} and later ones say.`);

/**
 * Rows beside the log against the receipts that they came from: what people and the plane are shown, and decide by, is what was signed.
 * The receipts of each kind go out as one question that gives the first one whose row says something else.
 */
export class RowChecks {
  /** Requests whose rows ask other groups, or until another time, than at first: what the row says, and what later receipts say. */
  private readonly moved = new Map<string, { readonly one: ReadRow; readonly row: Terms; said: Terms }>();
  private readonly seen = { votes: new Set<string>(), approvals: 0, deferrals: 0, sessions: 0 };

  constructor(
    private readonly client: pg.ClientBase,
    private readonly workspace: string,
  ) {}

  async check(batch: readonly ReadRow[]): Promise<LogFault | undefined> {
    return (
      (await this.actions(batch)) ?? (await this.contexts(batch)) ?? (await this.requests(batch)) ?? this.changes(batch) ?? (await this.votes(batch)) ??
      (await this.endings(batch)) ?? (await this.deferrals(batch)) ?? (await this.redemptions(batch))
    );
  }

  /** Each receipt has its row by now; a row more is one that nobody signed for. */
  async extra(size: number): Promise<LogFault | undefined> {
    for (const { one, row, said } of this.moved.values()) if (row.end !== said.end || row.asked.join('\n') !== said.asked.join('\n')) return changedRequest(one);
    for (const [table, expected] of [['sessions', this.seen.sessions], ['approvals', this.seen.approvals], ['deferrals', this.seen.deferrals], ['votes', this.seen.votes.size]] as const) {
      const { rows } = await this.client.query<Record<string, unknown>>(`SELECT count(*)::int4 AS "count" FROM "${table}" WHERE "workspace_id" = $1`, [this.workspace]);
      const count = int(rows[0]?.['count']);
      if (count !== expected) return fault('row', size, `There are ${String(count)} ${table}, but receipts of ${String(expected)}.`);
    }
    return undefined;
  }

  private async first(batch: readonly ReadRow[], asked: Asked, from: string, wrong: string, what: string): Promise<LogFault | undefined> {
    if (batch.length === 0) return undefined;
    const names = asked.map((_, i) => `"v${String(i)}"`).join(', ');
    const lists = asked.map(([type], i) => `$${String(i + 2)}::${type}[]`).join(', ');
    const sql = `SELECT w."nr"::int4 AS "nr" FROM unnest(${lists}) WITH ORDINALITY AS w(${names}, "nr") ${from} WHERE ${wrong} ORDER BY w."nr" LIMIT 1`;
    const { rows } = await this.client.query<Record<string, unknown>>(sql, [this.workspace, ...asked.map(([, values]) => [...values])]);
    const found = rows[0] && batch[int(rows[0]['nr']) - 1];
    return found && fault('row', found.row.index, `${what} says something else than receipt ${found.row.id}, or is not there.`);
  }

  /** The action's row, and the columns of every receipt about it, are those of its decisions. */
  private async actions(batch: readonly ReadRow[]): Promise<LogFault | undefined> {
    const about = batch.filter(({ body }) => 'action' in body.predicate);
    const from = `LEFT JOIN "actions" AS a ON a."workspace_id" = $1 AND a."id" = w."v0"`;
    const same = `a."id" IS NULL OR a."asked_digest" <> w."v1" OR (w."v2" IS NOT NULL AND a."session_id" <> w."v2") OR (w."v3" IS NOT NULL AND a."agent_id" <> w."v3")
      OR (w."v4" IS NOT NULL AND a."tool" <> w."v4") OR (w."v5" IS NOT NULL AND a."operation" <> w."v5")`;
    const column = (name: 'session' | 'agent' | 'tool' | 'operation') => ['text', about.map(({ row }) => row[name] ?? null)] as const;
    const asked: Asked = [
      ['text', about.map(({ body }) => ('action' in body.predicate ? body.predicate.action.id : null))],
      ['text', about.map(({ body }) => ('action' in body.predicate ? body.predicate.action.digest : null))],
      column('session'), column('agent'), column('tool'), column('operation'),
    ];
    return await this.first(about, asked, from, same, 'The row of the action');
  }

  /** Each head that a receipt states is the hash of that step. */
  private async contexts(batch: readonly ReadRow[]): Promise<LogFault | undefined> {
    const steps = batch.flatMap((one) => {
      const step = stepIn(one.body);
      return step && step.seq > 0 ? [{ one, ...step }] : [];
    });
    for (const { body } of batch) if (body.kind === 'session_opened') this.seen.sessions += 1;
    const from = `LEFT JOIN "context_entries" AS e ON e."workspace_id" = $1 AND e."session_id" = w."v0" AND e."seq" = w."v1"`;
    const asked: Asked = [['text', steps.map(({ session }) => session)], ['int4', steps.map(({ seq }) => seq)], ['text', steps.map(({ head }) => head)]];
    return await this.first(steps.map(({ one }) => one), asked, from, `e."hash" IS DISTINCT FROM w."v2"`, 'The step of the session');
  }

  private async requests(batch: readonly ReadRow[]): Promise<LogFault | undefined> {
    const made = ofKind(batch, 'approval_requested');
    this.seen.approvals += made.length;
    const from = `LEFT JOIN "approvals" AS p ON p."workspace_id" = $1 AND p."id" = w."v0"
      LEFT JOIN "contents" AS c ON c."workspace_id" = $1 AND c."digest" = w."v6"`;
    const same = `p."id" IS NULL OR p."action_id" <> w."v1" OR p."session_id" <> w."v2" OR p."basis_digest" <> w."v3" OR p."quorum" <> w."v4"
      OR p."separation"::text <> w."v5" OR (p."held" <> '${erasedText}' AND p."held" <> c."body")
      OR (p."basis" <> '${erasedText}' AND encode(sha256(convert_to(p."basis", 'UTF8')), 'hex') <> w."v3")`;
    const asked: Asked = [
      ['text', made.map(({ predicate }) => predicate.approval)], ['text', made.map(({ predicate }) => predicate.action.id)], ['text', made.map(({ predicate }) => predicate.session)],
      ['text', made.map(({ predicate }) => predicate.basis_digest)], ['int4', made.map(({ predicate }) => predicate.quorum)],
      ['text', made.map(({ predicate }) => String(predicate.separation))], ['text', made.map(({ predicate }) => predicate.held_digest ?? null)],
    ];
    return (await this.first(made.map(({ one }) => one), asked, from, same, 'The row of the request')) ?? (await this.terms(made));
  }

  /** Extensions and escalations change these two; whether they did is known at the log's end. */
  private async terms(made: readonly { readonly one: ReadRow; readonly predicate: ReceiptPredicate<'approval_requested'> }[]): Promise<undefined> {
    if (made.length === 0) return;
    const sql = `SELECT w."nr"::int4 AS "nr", p."expires_at", p."approvers" FROM unnest($2::text[], $3::timestamptz[], $4::text[]) WITH ORDINALITY AS w("id", "end", "asked", "nr")
      JOIN "approvals" AS p ON p."workspace_id" = $1 AND p."id" = w."id" WHERE p."expires_at" <> w."end" OR array_to_string(p."approvers", E'\\n') <> w."asked"`;
    const values = [made.map(({ predicate }) => predicate.approval), made.map(({ predicate }) => predicate.expires_at), made.map(({ predicate }) => predicate.approvers.join('\n'))];
    const { rows } = await this.client.query<Record<string, unknown>>(sql, [this.workspace, ...values]);
    for (const row of rows) {
      const found = made[int(row['nr']) - 1];
      if (!found) continue;
      const { approval, approvers, expires_at } = found.predicate;
      this.moved.set(approval, { one: found.one, row: { asked: texts(row['approvers']), end: time(row['expires_at']) }, said: { asked: approvers, end: expires_at } });
    }
  }

  private changes(batch: readonly ReadRow[]): LogFault | undefined {
    for (const one of batch) {
      const { kind, predicate } = one.body;
      if (kind !== 'approval_extended' && kind !== 'approval_escalated') continue;
      const moved = this.moved.get(predicate.approval);
      if (!moved) return changedRequest(one);
      moved.said = kind === 'approval_extended' ? { ...moved.said, end: predicate.expires_at } : { ...moved.said, asked: [...new Set([...moved.said.asked, ...predicate.approvers])] };
    }
    return undefined;
  }

  /** Who approved may still deny, and the row keeps the first vote: a denial asks only that there is one. */
  private async votes(batch: readonly ReadRow[]): Promise<LogFault | undefined> {
    const cast = ofKind(batch, 'approval_voted');
    for (const { predicate } of cast) this.seen.votes.add(`${predicate.approval} ${predicate.person}`);
    const from = `LEFT JOIN "votes" AS v ON v."workspace_id" = $1 AND v."approval_id" = w."v0" AND v."person_id" = w."v1"`;
    const same = `v."verdict" IS NULL OR (w."v2" = 'approve' AND (v."verdict" <> 'approve' OR v."envelope" IS DISTINCT FROM w."v3" OR v."key_id" IS DISTINCT FROM w."v4"))`;
    const asked: Asked = [
      ['text', cast.map(({ predicate }) => predicate.approval)], ['text', cast.map(({ predicate }) => predicate.person)], ['text', cast.map(({ predicate }) => predicate.verdict)],
      ['text', cast.map(({ predicate }) => (predicate.envelope ? envelopeText(predicate.envelope) : null))], ['text', cast.map(({ predicate }) => predicate.key?.id ?? null)],
    ];
    return await this.first(cast.map(({ one }) => one), asked, from, same, 'The row of the vote');
  }

  private async endings(batch: readonly ReadRow[]): Promise<LogFault | undefined> {
    const ended = ofKind(batch, 'approval_resolved');
    const from = `LEFT JOIN "approvals" AS p ON p."workspace_id" = $1 AND p."id" = w."v0"`;
    const asked: Asked = [['text', ended.map(({ predicate }) => predicate.approval)], ['text', ended.map(({ predicate }) => predicate.state)]];
    return await this.first(ended.map(({ one }) => one), asked, from, `p."state" IS DISTINCT FROM w."v1"`, 'The state of the request');
  }

  private async deferrals(batch: readonly ReadRow[]): Promise<LogFault | undefined> {
    const opened = ofKind(batch, 'deferral_opened');
    this.seen.deferrals += opened.length;
    const from = `LEFT JOIN "deferrals" AS d ON d."workspace_id" = $1 AND d."id" = w."v0"`;
    const asked: Asked = [['text', opened.map(({ predicate }) => predicate.deferral)], ['text', opened.map(({ predicate }) => predicate.action.id)]];
    const open = await this.first(opened.map(({ one }) => one), asked, from, `d."action_id" IS DISTINCT FROM w."v1"`, 'The row of the deferral');
    if (open) return open;
    const ended = ofKind(batch, 'deferral_resolved');
    const ends: Asked = [['text', ended.map(({ predicate }) => predicate.deferral)]];
    return await this.first(ended.map(({ one }) => one), ends, from, `d."id" IS NULL OR d."state" = 'open'`, 'The state of the deferral');
  }

  /** A permit that was redeemed is used up in the row too. */
  private async redemptions(batch: readonly ReadRow[]): Promise<LogFault | undefined> {
    const redeemed = ofKind(batch, 'permit_redeemed');
    const from = `LEFT JOIN "actions" AS a ON a."workspace_id" = $1 AND a."id" = w."v0"`;
    const asked: Asked = [['text', redeemed.map(({ predicate }) => predicate.action.id)], ['text', redeemed.map(({ predicate }) => predicate.permit)]];
    return await this.first(redeemed.map(({ one }) => one), asked, from, `a."permit_id" IS DISTINCT FROM w."v1" OR a."redeemed_at" IS NULL`, 'The permit in the action’s row');
  }
}

function ofKind<Kind extends ReceiptKind>(batch: readonly ReadRow[], kind: Kind): readonly { readonly one: ReadRow; readonly predicate: ReceiptPredicate<Kind> }[] {
  // `kind` tells the union's members apart; the compiler does not follow it through the generic.
  return batch.flatMap((one) => (one.body.kind === kind ? [{ one, predicate: one.body.predicate as ReceiptPredicate<Kind> }] : []));
}

function stepIn({ kind, predicate }: ReceiptBody): { readonly session: string; readonly seq: number; readonly head: string } | undefined {
  if (kind === 'action_decided') {
    const { context_seq: seq, context_head: head } = predicate.permit ?? predicate;
    return { session: predicate.identity.session, seq, head };
  }
  if (kind === 'permit_issued') return { session: predicate.session, seq: predicate.permit.context_seq, head: predicate.permit.context_head };
  if (!('context_seq' in predicate) || !('session' in predicate)) return undefined;
  return { session: text(predicate.session), seq: predicate.context_seq, head: predicate.context_head };
}
