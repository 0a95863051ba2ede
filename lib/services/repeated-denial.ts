import type { CanonicalAction } from '@/lib/mediate/action';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { mediate } from '@/lib/mediate/mediate';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { ActionId } from '@/lib/shared/ids';

import { openAction } from './action-content';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';

/** The action that a person denied, and what they said to the agent then. */
export type EarlierDenial = { readonly action: ActionId; readonly guidance: string | null };

/**
 * What a person denied is neither put before people again in the same session nor let through otherwise, until the user says something
 * new: asking until somebody clicks, or in other words until no rule stops it, is no way round a denial. The same is: tool, operation,
 * and what the arguments act on.
 */
export async function repeatedDenial(
  parts: PlaneParts,
  { row }: LiveSession,
  action: CanonicalAction,
  catalogue: Catalogue,
): Promise<EarlierDenial | null> {
  const denied = (await parts.stores.actions.deniedByPeople(row.id)).filter(({ tool, operation }) => tool === action.tool && operation === action.operation);
  if (denied.length === 0) return null;
  const messages = (await parts.stores.sessions.entries(row.id, 0)).filter(({ entry }) => entry.kind === 'request');
  const lastMessageAt = messages.at(-1)?.entry.at ?? '';
  const wanted = actsOn(action);
  for (const before of denied) {
    if (before.changed_at <= lastMessageAt) continue;
    const opened = await openAction(parts.stores.content, parts.sha256, before.asked);
    const known = opened.ok ? mediate(opened.value, catalogue) : opened;
    // What was denied cannot be read any more: it may be the same.
    if (!known.ok || actsOn(known.value) === wanted) return { action: before.id, guidance: before.guidance };
  }
  return null;
}

function actsOn({ facts }: CanonicalAction): string {
  const { target, recipients, paths, urls, programs, tables, amounts } = facts;
  return canonicalJson(asJson({ target: target ?? null, recipients, paths, urls: urls.map(({ href }) => href), programs, tables, amounts }));
}
