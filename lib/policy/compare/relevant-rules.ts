import { triedExhaustively } from '@/lib/engine/try-unknown';
import type { DecisionKind } from '@/lib/mediate/catalogue';

import { isOn, type OpenRule, type SideName } from './open-rule';
import { possibly } from './possible-truths';

/** What stands beneath all rules under each policy; null: it denies whatever the rules say, or there is none. */
export type Beneath = Readonly<Record<SideName, DecisionKind | null>>;
export type Relevant = { readonly rules: readonly OpenRule[]; readonly denied: Readonly<Record<SideName, boolean>> };

/** The rules that may still make a difference under a policy for which they stand, and whether a policy denies however they turn out. */
export function relevantRules(open: readonly OpenRule[], beneath: Beneath): Relevant {
  const [base, next] = (['base', 'next'] as const).map((side) => relevantOn(open.filter((one) => isOn(one, side)), beneath[side]));
  const rules = open.flatMap((one): readonly OpenRule[] => {
    const [inBase, inNext] = [base?.has(one) === true, next?.has(one) === true];
    if (!inBase && !inNext) return [];
    const on = inBase && inNext ? 'both' : inBase ? 'base' : 'next';
    return [on === one.on ? one : { ...one, on }];
  });
  return { rules, denied: { base: base === null, next: next === null } };
}

const priorityOf = ({ tracked }: OpenRule): number => tracked.rule.priority;
const actionOf = ({ tracked }: OpenRule): DecisionKind => tracked.rule.action;

/** A rule that waits for facts stops holding once they are there, and denies where one turns out not to be available. */
const waitsForFacts = ({ tracked }: OpenRule): boolean => tracked.rule.needs.length > 0;
const holds = (one: OpenRule): boolean => one.truth === possibly.true && !waitsForFacts(one);
const mayDeny = (one: OpenRule): boolean => actionOf(one) === 'DENY' || waitsForFacts(one);

/** Null: it is denied. */
function relevantOn(own: readonly OpenRule[], beneath: DecisionKind | null): ReadonlySet<OpenRule> | null {
  if (beneath === null) return null;
  const of = (classification: string): readonly OpenRule[] => own.filter(({ tracked }) => tracked.rule.classification === classification);
  const stops = [...of('forbidden'), ...of('context_dependent_deny')];
  if (stops.some(holds)) return null;
  const statics = of('static');
  const top = statics.filter(holds).reduce<number | null>((most, one) => (most === null || priorityOf(one) > most ? priorityOf(one) : most), null);
  const reaching = statics.filter((one) => top === null || priorityOf(one) >= top);
  const bases = new Set([...reaching.map(actionOf), ...(top === null ? [beneath] : [])]);
  // Allow rules lift denials and nothing else.
  const lifting = reaching.some(mayDeny) || (top === null && beneath === 'DENY') ? of('context_dependent_allow') : [];
  if (lifting.length === 0 && bases.size === 1 && bases.has('DENY')) return null;
  // Beyond so many unknown rules the engine does not try every way, and then one more of them may matter that says nothing by itself.
  if (own.filter(({ truth }) => (truth & possibly.unknown) !== 0).length > triedExhaustively) return new Set(own);
  const standing = lifting.length > 0 ? statics : [...reaching, ...(bases.has('STEP_UP') ? statics.filter((one) => actionOf(one) === 'MODIFY' && !reaching.includes(one)) : [])];
  const joining = [...of('context_dependent_decision'), ...of('context_dependent_defer')];
  // What waits anyhow waits whoever is asked and whatever is changed besides.
  const waits = joining.some((one) => actionOf(one) === 'DEFER' && holds(one)) || (lifting.length === 0 && bases.size === 1 && bases.has('DEFER') && top !== null && !reaching.some(waitsForFacts));
  return new Set([...stops, ...lifting, ...standing, ...(waits ? joining.filter((one) => actionOf(one) === 'DEFER') : joining)]);
}
