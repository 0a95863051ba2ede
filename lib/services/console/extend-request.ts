import { verifyExtension } from '@/lib/approvals/verify-extension';
import { allowedKeyKinds } from '@/lib/authority/key-kinds';
import type { ExtendInput, ExtensionOutcome } from '@/lib/contracts/console/approvals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { LockedHead, Tx } from '@/lib/ports/transaction';
import { parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { err, fail, ok, type Result } from '@/lib/shared/result';

import { basisMoved } from './approval-basis-moved';
import { alreadyOver, approverOf, judgesOf } from './approval-look';
import type { ConsoleParts } from './console-parts';
import { lookAtRequest, looks, movedSince, type RequestLook } from './look-at-request';
import { suspendedPeople } from './suspended-people';

/**
 * Moves the end of a request by an approver's signature: state, receipt and event in one transaction. Votes that were cast stay
 * good. Failures: those of `lookAtRequest` and `verifyExtension`, `approval_stale`.
 */
export async function extendRequest(parts: ConsoleParts, viewer: Viewer, input: ExtendInput): Promise<Result<ExtensionOutcome>> {
  const envelope = parseEnvelope(input.envelope);
  if (!envelope.ok) return envelope;
  for (let attempt = 0; attempt < looks; attempt++) {
    const look = await lookAtRequest(parts, viewer, input.approval, attempt > 0);
    if (!look.ok) return look;
    // Judged once outside, so that garbage never takes the lock.
    const early = await judge(parts, viewer, envelope.value, look.value, await parts.reads.now());
    if (!early.ok) return early;
    const outcome = await parts.transactor.withHead((tx, head) => extend(parts, viewer, envelope.value, look.value, tx, head));
    if (outcome !== 'look again') return outcome;
  }
  return fail('unavailable', 'Too much is changing at once. The request was not extended.', { fix: 'Sign again.' });
}

async function judge(parts: ConsoleParts, viewer: Viewer, envelope: Envelope, { inForce, request, state, labels }: RequestLook, now: string, tx?: Tx): ReturnType<typeof verifyExtension> {
  const judges = judgesOf(inForce, await suspendedPeople(parts.people, [viewer.person], tx));
  if (!judges.ok) return judges;
  const { held } = request;
  const verified = await verifyExtension(envelope, {
    held, state, now,
    approver: (id) => approverOf(judges.value, id),
    keyKinds: allowedKeyKinds(judges.value.root, held.impact),
    verify: parts.cryptography.verify,
  });
  if (!verified.ok) return verified;
  // Signed by a roster key, but sent by somebody else's session.
  if (verified.value.extension.person !== viewer.person) return fail('signature_invalid', 'The extension is signed by somebody else than you.');
  const moved = basisMoved(held, inForce, labels);
  return moved === null ? verified : fail('approval_stale', moved, { fix: 'It has to be decided again under what holds now.' });
}

async function extend(parts: ConsoleParts, viewer: Viewer, envelope: Envelope, look: RequestLook, tx: Tx, head: LockedHead): Promise<Result<ExtensionOutcome> | 'look again'> {
  const row = await parts.approvals.find(look.row.id, tx);
  if (!row) return fail('not_found', 'There is no such request.');
  if (row.state !== 'pending') return err(alreadyOver(row, look.inForce.roster?.roster ?? null));
  if (movedSince(look, row, head)) return 'look again';
  const judged = await judge(parts, viewer, envelope, look, head.now, tx);
  if (!judged.ok) return judged;
  const { expires_at } = judged.value.state;
  const { held, requested } = look.request;
  if (!(await parts.approvals.extend(tx, row.id, { from: row.expires_at, to: expires_at }))) throw new Error(`Request ${row.id} moved under the head lock.`);
  const receipt = await parts.sign(
    'approval_extended',
    head.now,
    { approval: row.id, action: requested.action, person: viewer.person, expires_at, envelope },
    { session: held.session, action: held.action_id, agent: held.identity.agent, person: viewer.person, tool: held.action.tool, operation: held.action.operation },
  );
  await parts.ledger.append(tx, [receipt]);
  await parts.events.publish(tx, [{ kind: 'approval_changed', id: row.id }, { kind: 'action_changed', id: row.action }, { kind: 'log_grew', id: parts.workspace }]);
  return ok({ expires_at, receipt: receipt.id });
}
