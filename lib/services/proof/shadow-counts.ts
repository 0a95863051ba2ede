import { z } from 'zod';

import type { ShadowCounts } from '@/lib/contracts/console/proofs';
import { decisionKinds } from '@/lib/mediate/catalogue';
import { notReplayedReasons } from '@/lib/policy/replay-report';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { countField } from '@/lib/shared/document-fields';

const kind = z.enum(decisionKinds);
const stored = z.object({
  transitions: z.array(z.strictObject({ now: kind, then: kind, count: countField(1) })).default([]),
  newly_allowed: countField(0).default(0),
  newly_stopped: countField(0).default(0),
  not_replayed: z.array(z.strictObject({ why: z.enum(notReplayedReasons), count: countField(1) })).default([]),
});

/** From what the row keeps; a row of somebody else's making throws. */
export const parseShadowCounts = (text: string): ShadowCounts => stored.parse(JSON.parse(text));

export const shadowCountsText = (counts: ShadowCounts): string => canonicalJson(asJson(counts));

/** What was found before and what was found since, together. */
export function addShadowCounts(before: ShadowCounts, since: ShadowCounts): ShadowCounts {
  return {
    transitions: merged([...before.transitions, ...since.transitions], ({ now, then }) => `${now} ${then}`),
    newly_allowed: before.newly_allowed + since.newly_allowed,
    newly_stopped: before.newly_stopped + since.newly_stopped,
    not_replayed: merged([...before.not_replayed, ...since.not_replayed].map(({ why, count }) => ({ why, count })), ({ why }) => why),
  };
}

function merged<T extends { readonly count: number }>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const found = new Map<string, T>();
  for (const one of all) {
    const known = found.get(keyOf(one));
    found.set(keyOf(one), known ? { ...known, count: known.count + one.count } : one);
  }
  return [...found.values()];
}
