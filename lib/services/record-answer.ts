import type { ContextEntry } from '@/lib/context/entry';
import type { ActionRow } from '@/lib/ports/action-store';
import type { AttemptKey, AttemptOutcome } from '@/lib/ports/attempt-store';
import type { Answer } from '@/lib/ports/information-point';
import type { SignedReceipt } from '@/lib/ports/ledger-store';

import { freshContent } from './action-content';
import { observedTime } from './observed-time';
import { chained } from './permit-entry';
import type { PlaneParts } from './plane-parts';
import { voucherOf } from './voucher-of';

/**
 * Settles an attempt, in one commit with its receipt and, when the field came or was settled as unavailable, with the session's
 * next entry. The head of the chain is read under the lock, so whatever moved meanwhile is before it. `settled`: somebody else has
 * given it up, or the session has ended; then what came is not used.
 */
export async function recordAnswer(parts: PlaneParts, row: ActionRow, key: AttemptKey, answer: Answer): Promise<'supplied' | 'failed' | 'settled'> {
  const inForce = await parts.authority.current();
  const { attempts, sessions, ledger, content } = parts.stores;
  return await parts.stores.transactor.withHead(async (tx, { now }) => {
    const session = (await sessions.find([row.session], tx)).get(row.session);
    const voucher = voucherOf(inForce, key.source, key.name, now);
    const known = answer.kind !== 'failed' && voucher !== null && session?.state === 'open' ? answer : null;
    const detail = known ? null : answer.kind === 'failed' ? answer.detail : 'It may not say this any more, or the session has ended.';
    const outcome: AttemptOutcome = known ? known.kind : 'failed';
    if (!(await attempts.settle(tx, key, { outcome, at: now, detail }))) return 'settled';
    const receipts: SignedReceipt[] = [await attemptReceipt(parts, row, key, outcome, detail, now)];
    if (known && session && voucher !== null) {
      const value = known.kind === 'supplied' ? freshContent(parts.sha256, parts.ids.salt(), known.value) : null;
      const fact: ContextEntry = {
        kind: 'attribute', at: now, subject: key.subject, name: key.name, value: known.kind === 'supplied' ? known.value : null,
        unavailable: known.kind === 'unavailable', source: key.source, observed_at: observedTime(known.kind === 'supplied' ? known.observed_at : undefined, now),
      };
      const entry = chained(parts, { row: session }, fact);
      const said = { subject: fact.subject, name: fact.name, source: fact.source, observed_at: fact.observed_at, value_digest: value?.digest ?? null };
      receipts.push(
        await parts.sign(
          'attributes_supplied',
          now,
          { session: session.id, attributes: [said], by: { kind: 'information_point', id: voucher }, context_head: entry.hash, context_seq: entry.seq },
          { session: session.id, agent: session.agent },
        ),
      );
      if (value) await content.add(tx, [value]);
      await sessions.addEntries(tx, [entry]);
      await sessions.moveHeads(tx, [{ session: session.id, from: session.head, to: entry.hash, seq: entry.seq, at: now }]);
    }
    await ledger.append(tx, receipts);
    await parts.events.publish(tx, [{ kind: 'action_changed', id: row.id }, { kind: 'session_changed', id: row.session }, { kind: 'log_grew', id: parts.workspace }]);
    return known ? 'supplied' : 'failed';
  });
}

export const attemptReceipt = (
  parts: Pick<PlaneParts, 'sign'>,
  row: ActionRow,
  { deferral, subject, name, source, attempt }: AttemptKey,
  outcome: AttemptOutcome,
  detail: string | null,
  at: string,
): Promise<SignedReceipt> =>
  parts.sign(
    'deferral_attempted',
    at,
    { deferral, action: { id: row.id, digest: row.asked }, subject, attribute: name, source, attempt, outcome, ...(detail === null ? {} : { detail }) },
    { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation },
  );
