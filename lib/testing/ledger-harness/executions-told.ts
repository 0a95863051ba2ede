import type { GrantId } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';

import { agent, type Judged, type ToldSession } from './told-session';

export const gate = { kind: 'enforcement_point', id: 'gate' } as const;

/** An action that is let through at once, with the permit inside its decision. */
export function allow(session: ToldSession, label: string, [tool, operation, parameters]: readonly [string, string, JsonObject], grants: readonly GrantId[] = []) {
  const judged = session.judge(tool, operation, parameters, { grants });
  if (judged.decision.decision !== 'ALLOW' && judged.decision.decision !== 'MODIFY') throw new Error(`${label}: ${judged.decision.reason}`);
  const permitted = session.permit(judged, 60, grants);
  session.teller.tell(`${label} decided`, 'action_decided', { ...judged.body, cause: 'proposed', state: 'permitted', permit: permitted });
  return { judged, permit: permitted };
}

export function redeem(session: ToldSession, label: string, { judged, permit }: { readonly judged: Judged; readonly permit: { readonly id: ReturnType<ToldSession['permit']>['id'] } }): void {
  session.teller.tell(label, 'permit_redeemed', { session: session.id, permit: permit.id, action: { id: judged.id, digest: judged.digest }, by: gate, ...session.head });
}

/** What came of it enters the context; gives the output's digest. */
export function report(session: ToldSession, label: string, { judged, permit }: Parameters<typeof redeem>[2], output: string) {
  const { teller } = session;
  const after = session.step({
    kind: 'outcome', at: teller.now, action: judged.id, status: 'succeeded', reporter: 'enforcement_point', trusted: false, output, labels: [],
    salt: Buffer.from(teller.ids.salt()).toString('base64'),
  });
  const output_digest = teller.content(output);
  teller.tell(label, 'outcome_reported', {
    session: session.id, permit: permit.id, action: { id: judged.id, digest: judged.digest }, status: 'succeeded', output_digest, labels: [], trusted: false, late: false, reported_by: gate, ...after,
  });
  return output_digest;
}

/** A grant's use, counted beside the redemption. */
export function count(session: ToldSession, label: string, grant: GrantId, { judged, permit }: Parameters<typeof redeem>[2], use: number): void {
  session.teller.tell(label, 'grant_consumed', {
    grant, session: session.id, agent, tool: judged.action.tool, operation: judged.action.operation, action: { id: judged.id, digest: judged.digest }, permit: permit.id, use,
  });
}
