import type { Decision } from '@/lib/engine/decision';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { mediate } from '@/lib/mediate/mediate';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { ErrorCode } from '@/lib/shared/error-codes';

import { openAction } from './action-content';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';

/**
 * What a person denied is not put before people again in the same session, until the user says something new: asking
 * until somebody clicks is no way to an approval. The same is: tool, operation, and what the arguments act on.
 */
export async function repeatedDenial(
  parts: PlaneParts,
  { row }: LiveSession,
  action: CanonicalAction,
  catalogue: Catalogue,
  decision: Decision,
): Promise<ErrorCode | null> {
  if (decision.decision !== 'STEP_UP' && decision.decision !== 'DEFER') return null;
  const denied = (await parts.stores.actions.ofSession(row.id, ['denied'])).filter(
    ({ code, tool, operation }) => code === 'approval_denied' && tool === action.tool && operation === action.operation,
  );
  if (denied.length === 0) return null;
  const messages = (await parts.stores.sessions.entries(row.id, 0)).filter(({ entry }) => entry.kind === 'request');
  const lastMessageAt = messages.at(-1)?.entry.at ?? '';
  const wanted = actsOn(action);
  for (const before of denied) {
    if (before.changed_at <= lastMessageAt) continue;
    const opened = await openAction(parts.stores.content, parts.sha256, before.asked);
    const known = opened.ok ? mediate(opened.value, catalogue) : opened;
    if (known.ok && actsOn(known.value) === wanted) return 'repeated_after_denial';
  }
  return null;
}

function actsOn({ facts }: CanonicalAction): string {
  const { target, recipients, paths, urls, programs, tables, amounts } = facts;
  return canonicalJson(asJson({ target: target ?? null, recipients, paths, urls: urls.map(({ href }) => href), programs, tables, amounts }));
}
