import type { Classification } from '@/lib/engine/decision';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import type { Option } from './context-options';
import { dimensionKey, type Dimension } from './dimensions';
import type { OpenRule } from './open-rule';
import type { TrackedRule } from './tracked-rule';

/** Of what one comparison reads: who acts, then with what, then where it stands. What is put together from other things comes after them. */
const order: readonly Dimension['of'][] = ['identity', 'parameter', 'labels', 'intent', 'elapsed', 'risk', 'time', 'history', 'subject', 'attribute', 'provenance'];
const rankOf = ({ of }: Dimension): number => order.indexOf(of);

/** What to choose next: one rule after the other, those that changed first, so that what a rule came to is soon all that is left of it. */
export function nextDimension(rules: readonly OpenRule[], chosen: ReadonlyMap<string, Option>, changed: ReadonlySet<TrackedRule> | null, entry: CatalogueEntry): Dimension | null {
  const wantedOf = ({ tracked, rest }: OpenRule): readonly Dimension[] => rest.keys.flatMap((key) => (chosen.has(key) ? [] : (tracked.dimensions.get(key) ?? [])));
  let [best, least]: [readonly Dimension[], number] = [[], Number.POSITIVE_INFINITY];
  for (const one of rules) {
    const wanted = wantedOf(one);
    const weight = wanted.length + 100 * classOf(one, changed);
    if (wanted.length > 0 && weight < least) [best, least] = [wanted, weight];
  }
  const [first, ...others] = best;
  if (!first) return null;
  let found = others.reduce((one, other) => (rankOf(other) < rankOf(one) ? other : one), first);
  // Before it whatever any comparison reads together with it that comes earlier.
  for (;;) {
    const key = dimensionKey(found);
    const together = rules.flatMap(({ tracked, rest }) => rest.leaves.flatMap(({ keys }) => (keys.includes(key) ? keys.flatMap((other) => (chosen.has(other) ? [] : (tracked.dimensions.get(other) ?? []))) : [])));
    const earliest = together.reduce((one, other) => (rankOf(other) < rankOf(one) ? other : one), found);
    if (rankOf(earliest) === rankOf(found)) break;
    found = earliest;
  }
  if (found.of !== 'subject' && found.of !== 'attribute') return found;
  // What an action is about is known once its arguments are, and what is said of it after that.
  const { about } = found;
  const wanted = rules.flatMap(wantedOf);
  return wanted.find((one) => one.of === 'parameter' && Object.hasOwn(entry.parameters, one.name) && entry.parameters[one.name]?.role !== undefined) ?? wanted.find((one) => one.of === 'subject' && one.about === about) ?? found;
}

/** What settles most comes first: what changed, then what denies, then what is denied or allowed without context. */
function classOf({ tracked }: OpenRule, changed: ReadonlySet<TrackedRule> | null): number {
  return changed?.has(tracked) === true ? 0 : 1 + classes.indexOf(tracked.rule.classification);
}

const classes: readonly Classification[] = ['forbidden', 'context_dependent_deny', 'static', 'context_dependent_allow', 'context_dependent_defer', 'context_dependent_decision'];
