import type { Viewer } from '@/lib/contracts/console/viewer';
import { normalEmail } from '@/lib/shared/email';
import type { ActionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

/**
 * The person an agent acts for takes back what waits for others. Only their own, and only while it waits: afterwards it
 * is too late. Failures: `not_found`, `conflict`.
 */
export async function withdrawOwnAction(parts: ConsoleParts, viewer: Viewer, id: ActionId): Promise<Result<{ readonly state: 'withdrawn' }>> {
  return await parts.transactor.withHead(async (tx, { now }) => {
    const action = (await parts.actions.find([id], tx)).get(id);
    if (!action || normalEmail(action.human) !== normalEmail(viewer.email)) return fail('not_found', 'There is no such action of yours.');
    if (action.state !== 'held' && action.state !== 'deferred') return fail('conflict', `The action does not wait any more: it is ${action.state}.`);
    const approval = await parts.approvals.ofAction(id, tx);
    if (approval?.state === 'pending' && now >= approval.expires_at) return fail('conflict', `It expired at ${approval.expires_at}.`);
    await parts.actions.change(tx, {
      id, from: action.state, at: now, state: 'withdrawn', code: 'action_withdrawn', reason_shown: 'The person it was for withdrew it.', guidance: null,
    });
    const by = { kind: 'person', id: viewer.person } as const;
    const reference = { id, digest: action.asked };
    const columns = { session: action.session, action: id, agent: action.agent, person: viewer.person, tool: action.tool, operation: action.operation };
    const receipts = [await parts.sign('action_withdrawn', now, { session: action.session, action: reference, cause: 'withdrawn', by }, columns)];
    if (approval?.state === 'pending') {
      await parts.approvals.resolve(tx, approval.id, { state: 'withdrawn', at: now, by: viewer.person, resolution: null });
      receipts.push(await parts.sign('approval_resolved', now, { approval: approval.id, action: reference, state: 'withdrawn', votes: [], by }, columns));
    }
    const deferral = await parts.approvals.deferralOf(id, tx);
    if (deferral?.state === 'open') {
      await parts.approvals.resolveDeferral(tx, deferral.id, 'withdrawn', now);
      receipts.push(await parts.sign('deferral_resolved', now, { deferral: deferral.id, action: reference, outcome: 'withdrawn', by }, columns));
    }
    await parts.ledger.append(tx, receipts);
    await parts.events.publish(tx, [
      { kind: 'action_changed', id },
      ...(approval ? [{ kind: 'approval_changed', id: approval.id } as const] : []),
      { kind: 'log_grew', id: parts.workspace },
    ]);
    return ok({ state: 'withdrawn' });
  });
}
