import type { ShadowRow } from '@/lib/ports/shadow-store';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { later } from '@/lib/services/later';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { PersonId, ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { coveredHead } from './replay-range';
import { addShadowCounts, parseShadowCounts, shadowCountsText } from './shadow-counts';
import type { ShadowStep, ShadowWork } from './shadow-step';

type Parts = Pick<ConsoleParts, 'shadows' | 'proposals' | 'transactor' | 'events' | 'inForce' | 'log' | 'cryptography' | 'workspace' | 'clock'>;

const daySeconds = 86_400;

/** Differences that are listed; the rest are counted. */
export const shadowListed = 2000;
/** Receipts that one step takes: after a pause it catches up in several. */
const stepReceipts = 50_000;

/**
 * Has a proposal decide beside the policy in force, without effect, for so many days from now. It is no event of the log: it changes nothing
 * that anybody may do, and is made of receipts that are there. Failures: `not_found`, `already_resolved`, `conflict` (it runs already).
 */
export async function startShadow(parts: Parts, person: PersonId, proposal: ProposalId, days: number): Promise<Result<null>> {
  const row = await parts.proposals.find(proposal);
  if (row?.target !== 'policy') return fail('not_found', 'There is no such proposal for a policy.');
  if (row.state !== 'open' && row.state !== 'signed') return fail('already_resolved', `The proposal is ${row.state} already.`);
  return await parts.transactor.withHead(async (tx, { now, size }) => {
    const begun = await parts.shadows.begin(tx, { proposal, started_by: person, started_at: now, ends_at: later(now, days * daySeconds), next: size });
    if (!begun) return fail('conflict', 'It shadows the policy in force already.');
    await parts.events.publish(tx, [{ kind: 'proposal_changed', id: proposal }]);
    return ok(null);
  });
}

/** Failures: `conflict`, when none runs. What was found stays. */
export const stopShadow = (parts: Parts, proposal: ProposalId): Promise<Result<null>> =>
  parts.transactor.withHead(async (tx, { now }) => {
    if (!(await parts.shadows.end(tx, proposal, now, 'stopped'))) return fail('conflict', 'No shadow of it runs.');
    await parts.events.publish(tx, [{ kind: 'proposal_changed', id: proposal }]);
    return ok(null);
  });

/** Does a step where it disturbs nobody. */
export type RunShadow = (work: ShadowWork) => Promise<Result<ShadowStep>>;

/**
 * Takes a shadow as far as the log is covered by a checkpoint, and ends it at its time. What was found and how far it is are written together, so a process
 * that dies in between loses a step and counts nothing twice; whichever looks next goes on. True when there may be more to do at once.
 */
export async function followShadow(parts: Parts, row: ShadowRow, run: RunShadow): Promise<Result<boolean>> {
  const [proposal, inForce] = await Promise.all([parts.proposals.find(row.proposal), parts.inForce.current()]);
  const isLive = proposal?.state === 'open' || proposal?.state === 'signed';
  const { policy, root } = inForce;
  const head = root && (await headAfter(parts, root.root, row.next));
  if (isLive && policy && head && BigInt(head.size) > row.next) {
    if (digestOf(parts.cryptography.sha256, utf8(proposal.text)) !== proposal.digest) return fail('policy_altered', 'The text of the proposal is not the one that was proposed.');
    const step = await run({
      base: { text: policy.text, format: policy.format, digest: policy.digest },
      next: { text: proposal.text, format: proposal.format, digest: proposal.digest },
      range: { from: Number(row.next), to: head.size, since: row.started_at, root: head.root, leftOut: 0, until: row.ends_at },
    });
    return step.ok ? await keep(parts, row, head.size, step.value) : step;
  }
  const now = parts.clock.now();
  if (isLive && now < row.ends_at) return ok(false);
  await parts.transactor.withHead(async (tx, { now: at }) => {
    if (isLive && at < row.ends_at) return;
    if (await parts.shadows.end(tx, row.proposal, at, isLive ? 'time' : 'proposal_ended')) await parts.events.publish(tx, [{ kind: 'proposal_changed', id: row.proposal }]);
  });
  return ok(false);
}

/** A head that a checkpoint covers, so far on that a step stays small. */
async function headAfter(parts: Parts, root: Parameters<typeof coveredHead>[1], next: bigint): ReturnType<typeof coveredHead> {
  const { log } = parts;
  const near = await log.checkpointCovering(next + BigInt(stepReceipts));
  return await coveredHead({ ...parts, log: { ...log, latestCheckpoint: () => (near ? Promise.resolve(near) : log.latestCheckpoint()) } }, root);
}

async function keep(parts: Parts, row: ShadowRow, next: number, step: ShadowStep): Promise<Result<boolean>> {
  const room = Math.max(0, shadowListed - row.differing);
  const kept = await parts.transactor.withHead(async (tx) => {
    const found = {
      next: BigInt(next), receipts: row.receipts + step.receipts, decisions: row.decisions + step.decisions, replayed: row.replayed + step.replayed,
      differing: row.differing + step.changed, counts: shadowCountsText(addShadowCounts(parseShadowCounts(row.counts), step)),
    };
    if (!(await parts.shadows.advance(tx, row.proposal, row.next, found, step.listed.slice(0, room)))) return false;
    if (step.changed > 0) await parts.events.publish(tx, [{ kind: 'proposal_changed', id: row.proposal }]);
    return true;
  });
  return ok(kept);
}
