import type { CompiledPolicy } from '@/lib/engine/policy';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import { possibly } from './possible-truths';
import type { TrackedRule } from './tracked-rule';

/** A rule with the truths that it may still have. */
export type Open = { readonly tracked: TrackedRule; readonly truth: number };

export type SideName = 'base' | 'next';

const isOn = ({ tracked }: Open, side: SideName): boolean => tracked.side === side || tracked.side === 'both';

/** A rule that waits for facts stops holding once they are there. */
const holds = ({ tracked, truth }: Open): boolean => truth === possibly.true && tracked.rule.needs.length === 0;

/** The highest priority of a static rule that holds for sure; null where an allow rule may lift what it denies, or there is none. */
function topOf(side: SideName, active: readonly Open[]): number | null {
  let top: number | null = null;
  for (const open of active) {
    if (!isOn(open, side)) continue;
    const { rule } = open.tracked;
    if (rule.classification === 'context_dependent_allow') return null;
    if (rule.classification === 'static' && holds(open) && (top === null || rule.priority > top)) top = rule.priority;
  }
  return top;
}

/** Without the static rules that stand beneath one that holds for sure: nothing of them is left, but changes under a STEP_UP. */
export function withoutShadowed(active: readonly Open[]): readonly Open[] {
  const tops = { base: topOf('base', active), next: topOf('next', active) };
  if (tops.base === null && tops.next === null) return active;
  return active.filter((open) => {
    const { rule } = open.tracked;
    if (rule.classification !== 'static' || rule.action === 'MODIFY') return true;
    return (['base', 'next'] as const).some((side) => isOn(open, side) && (tops[side] ?? Number.NEGATIVE_INFINITY) <= rule.priority);
  });
}

/**
 * Whether an action is denied under a policy however what is open turns out: by a rule that nothing lifts, or because nothing that
 * may still hold allows it.
 */
export function isDenied(side: SideName, active: readonly Open[], policy: CompiledPolicy | null, entry: CatalogueEntry | undefined): boolean {
  if (!policy || !entry) return true;
  const own = active.filter((open) => isOn(open, side));
  if (own.some(({ tracked: { rule }, truth }) => truth === possibly.true && (rule.classification === 'forbidden' || rule.classification === 'context_dependent_deny'))) return true;
  if (own.some(({ tracked: { rule } }) => rule.classification === 'context_dependent_allow')) return false;
  const statics = own.filter(({ tracked: { rule } }) => rule.classification === 'static');
  const top = topOf(side, active);
  const beneath = (entry.decision ?? policy.defaults.decision) === 'DENY';
  const reaching = top === null ? statics : statics.filter(({ tracked: { rule } }) => rule.priority >= top);
  return reaching.every(({ tracked: { rule } }) => rule.action === 'DENY') && (top !== null || beneath);
}
