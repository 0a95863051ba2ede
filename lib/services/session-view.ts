import type { SessionView } from '@/lib/contracts/plane/sessions';
import type { SessionRow } from '@/lib/ports/session-store';
import { isId, type SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { Caller } from './caller';
import type { Idempotency } from './plane-services';
import type { PlaneParts } from './plane-parts';
import { sessionStateAt } from './session-state-at';

export const beingAnswered = (): Result<never> => fail('conflict', 'Another call with this idempotency key is being answered.', { fix: 'Send it again.' });

/** What a call with this key answered before, as it stands now. Null: there was none. */
export async function repeatedOpening(parts: PlaneParts, caller: Caller, { key, body_digest }: Idempotency): Promise<Result<SessionView> | null> {
  const before = await parts.stores.credentials.findIdempotent(caller.credential, key);
  if (!before) return null;
  if (before.body_digest !== body_digest) return fail('idempotency_conflict', 'This idempotency key came with another body before.');
  return isId('session', before.subject) ? await viewOfSession(parts, before.subject) : fail('idempotency_conflict', 'This idempotency key made something else before.');
}

export type ReceiptPlace = { readonly id: string; readonly index: number };

export const sessionView = (row: SessionRow, receipt: ReceiptPlace, state: SessionView['state']): SessionView => ({
  id: row.id, human: row.human, agent: row.agent, ...(row.parent === null ? {} : { parent: row.parent }), state, opened_at: row.opened_at, receipt: { ...receipt },
});

/** A session as it stands, with the receipt of its opening. */
export async function viewOfSession(parts: PlaneParts, id: SessionId): Promise<Result<SessionView>> {
  const row = (await parts.stores.sessions.find([id])).get(id);
  const page = await parts.reader.search({ session: id, kind: 'session_opened' }, { limit: 1 });
  const [receipt] = page.rows;
  if (!row || !receipt) return fail('not_found', 'There is no such session.');
  const inForce = await parts.authority.current();
  return ok(sessionView(row, { id: receipt.id, index: Number(receipt.index) }, sessionStateAt(row, inForce.policy?.compiled ?? null, parts.clock.now())));
}

/** What a session's caller has to be: the orchestrator that opened it. Everybody else sees nothing. */
export const openedBy = (caller: Caller, row: Pick<SessionRow, 'service'>): boolean => caller.kind === 'orchestrator' && row.service === caller.credential;
