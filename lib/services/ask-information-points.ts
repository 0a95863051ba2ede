import { planAsks, type AskPlan } from '@/lib/approvals/plan-asks';
import type { ActionRow } from '@/lib/ports/action-store';
import type { DeferralRow } from '@/lib/ports/approval-store';
import type { AttemptKey, AttemptRow } from '@/lib/ports/attempt-store';
import { answerWithinS, type Answer } from '@/lib/ports/information-point';
import type { Tx } from '@/lib/ports/transaction';

import { askableFields, storedMissing } from './askable-fields';
import { attemptReceipt, recordAnswer } from './record-answer';
import { later } from './later';
import type { PlaneParts } from './plane-parts';
import { redecideDeferred } from './redecide-deferred';
import { voucherOf } from './voucher-of';

/** How far ahead of the time to answer a deferral is left alone: whoever took it has settled it by then, or has died. */
const slackS = 1;

/**
 * Asks the information points for what open deferrals miss, as far as their time has come. Every attempt is written before it is
 * made and settled with a receipt; of several processes one asks, and a crash is made up for by whoever looks next. Nothing is
 * asked while a lock is held. Gives how many deferrals were taken.
 */
export async function askInformationPoints(parts: PlaneParts, limit: number): Promise<number> {
  if (parts.information.sources.size === 0) return 0;
  const due = await parts.stores.attempts.due(limit);
  const asked = await Promise.allSettled(due.map((deferral) => askFor(parts, deferral)));
  const faults = asked.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  if (faults.length > 0) throw new AggregateError(faults, `${String(faults.length)} deferrals could not be asked for.`);
  return due.length;
}

async function askFor(parts: PlaneParts, deferral: DeferralRow): Promise<void> {
  const row = (await parts.stores.actions.find([deferral.action])).get(deferral.action);
  if (!row) throw new Error(`Deferral ${deferral.id} is of no action.`);
  const taken = await take(parts, row, deferral);
  if (!taken) return;
  const answers = await Promise.all(taken.ask.map(async (key) => ({ key, answer: await answerTo(parts, key) })));
  await parts.sessions.exclusively(deferral.session, async (known) => {
    let session = known;
    for (const { key, answer } of answers) {
      const recorded = await recordAnswer(parts, row, key, answer);
      if (recorded === 'supplied') session = await parts.sessions.reload(deferral.session);
    }
    if (session && answers.some(({ answer }) => answer.kind !== 'failed')) await redecideDeferred(parts, session, 'supplied');
  });
  await leave(parts, deferral, taken.until);
}

/** Takes the deferral for as long as an answer may last, and writes down what is about to be asked. Null: it is another's, or over. */
async function take(
  parts: PlaneParts,
  row: ActionRow,
  { id, ask_at, missing }: DeferralRow,
): Promise<{ readonly ask: readonly AttemptKey[]; readonly until: string } | null> {
  if (ask_at === null) return null;
  return await parts.stores.transactor.withHead(async (tx, { now }) => {
    const until = later(now, answerWithinS + slackS);
    if (!(await parts.stores.attempts.askAt(tx, id, ask_at, until))) return null;
    const plan = await planFor(parts, id, missing, now, tx);
    await giveUp(parts, row, plan.interrupted, now, tx);
    const begun = plan.ask.map((field): AttemptRow => ({ deferral: id, ...field, asked_at: now, answered_at: null, outcome: null, detail: null }));
    await parts.stores.attempts.begin(tx, begun);
    return { ask: begun, until };
  });
}

async function giveUp(parts: PlaneParts, row: ActionRow, attempts: readonly AttemptRow[], at: string, tx: Tx): Promise<void> {
  const receipts = [];
  for (const attempt of attempts) {
    const detail = 'Nobody noted an answer: the process that asked has ended.';
    if (await parts.stores.attempts.settle(tx, attempt, { outcome: 'failed', at, detail })) {
      receipts.push(await attemptReceipt(parts, row, attempt, 'failed', detail, at));
    }
  }
  if (receipts.length > 0) await parts.stores.ledger.append(tx, receipts);
}

/** Never throws: whatever goes wrong on the way is an attempt that failed. */
async function answerTo(parts: PlaneParts, { source, subject, name }: AttemptKey): Promise<Answer> {
  try {
    const inForce = await parts.authority.current();
    if (voucherOf(inForce, source, name, parts.clock.now()) === null) {
      return { kind: 'failed', detail: `The signed roster in force does not list ${source} for ${name}.` };
    }
    return await parts.information.ask({ source, subject, name });
  } catch {
    return { kind: 'failed', detail: 'It could not be asked.' };
  }
}

/** Says when the deferral is looked at again, by what it misses now. */
async function leave(parts: PlaneParts, { id, action }: DeferralRow, until: string): Promise<void> {
  await parts.stores.transactor.withHead(async (tx, { now }) => {
    const [deferral] = await parts.stores.approvals.deferralsOf([action], tx);
    if (deferral?.id !== id) return;
    const { ask, next } = await planFor(parts, id, deferral.missing, now, tx);
    await parts.stores.attempts.askAt(tx, id, until, ask.length > 0 ? now : next);
  });
}

async function planFor(parts: PlaneParts, deferral: DeferralRow['id'], missing: string, now: string, tx: Tx): Promise<AskPlan<AttemptRow>> {
  const wanted = askableFields(storedMissing(missing), parts.information);
  return planAsks(wanted, await parts.stores.attempts.ofDeferrals([deferral], tx), now, { pausesS: parts.information.pausesS, answerWithinS });
}
