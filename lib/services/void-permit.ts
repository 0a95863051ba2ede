import type { RedeemView } from '@/lib/contracts/plane/actions';
import type { ActionRow } from '@/lib/ports/action-store';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { errorCodes } from '@/lib/shared/error-codes';
import { fail, type Result } from '@/lib/shared/result';

import { freshContent, sealsByRole, sealsOfAction } from './action-content';
import { actorOf, type Caller } from './caller';
import type { DecidedInSession } from './decide-in-session';
import { decidedBody } from './decision-receipt';
import type { InForce } from './in-force';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';

/**
 * Policy or context changed so that the permit is not what would be decided now: it is void and the action ends denied.
 * Null: what this rested on moved as well, look again.
 */
export async function voidPermit(
  parts: PlaneParts,
  caller: Caller,
  row: ActionRow,
  session: LiveSession,
  inForce: InForce,
  decided: DecidedInSession | null,
  now: string,
): Promise<Result<RedeemView> | null> {
  if (!row.permit) throw new Error(`Action ${row.id} has no permit to void.`);
  const columns = { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation };
  const policy = inForce.denied === null && inForce.policy ? { revision: inForce.policy.revision, digest: inForce.policy.digest } : null;
  const reason = `${errorCodes.permit_stale.title}. Now: ${decided?.decision.reason ?? 'the policy does not know this operation.'}`;
  const snapshot = decided && freshContent(parts.sha256, parts.ids.salt(), asJson(decided.snapshot));
  const refused = await parts.sign(
    'permit_refused',
    now,
    { permit: row.permit.id, action: { id: row.id, digest: row.asked }, code: 'permit_stale', by: actorOf(caller) },
    columns,
  );
  const receipts = [refused];
  if (decided && snapshot) {
    const seals = await sealsOfAction(parts.stores.content, row.asked);
    const body = decidedBody({
      sha256: parts.sha256,
      decision: decided.decision,
      snapshot: decided.snapshot,
      snapshotDigest: snapshot.digest,
      snapshotSalt: snapshot.salt,
      policy,
      epoch: inForce.epoch,
      seals,
      sealedFields: sealsByRole(inForce.policy?.compiled.catalogue.entries.get(`${row.tool}.${row.operation}`), seals),
    });
    const again = { ...body, tool: row.tool, operation: row.operation, action: { id: row.id, digest: row.asked }, cause: 'redeemed', state: 'denied', replaces: row.receipt.id } as const;
    receipts.push(await parts.sign('action_decided', now, again, {
      ...columns,
      decision: decided.decision.decision,
      labels: decided.snapshot.labels,
      rules: again.determining.map(({ id }) => id),
      ...(policy ? { revision: policy.revision } : {}),
    }));
  }
  const outcome = await parts.commits.submit({
    epoch: inForce.epoch,
    session: { id: row.session, head: session.row.head, orClosed: true },
    action: { id: row.id, state: 'permitted' },
    receipts,
    contents: snapshot ? [snapshot] : [],
    change: {
      id: row.id,
      from: 'permitted',
      at: now,
      state: 'denied',
      decision: decided?.decision.decision ?? 'DENY',
      code: 'permit_stale',
      reason_shown: reason,
      ...(decided ? { body: canonicalJson(asJson(decided.decision)) } : {}),
      ...(snapshot ? { snapshot: snapshot.digest } : {}),
    },
    events: [{ kind: 'action_changed', id: row.id }],
  });
  if (outcome.state === 'stale') return null;
  return fail('permit_stale', reason, { fix: 'Propose the action again.' });
}
