import type { CompiledPolicy } from '@/lib/engine/policy';
import { confidenceOf } from '@/lib/engine/measure-alignment';

import type { CatalogueEntry, ParameterRole } from '@/lib/mediate/catalogue';

import type { Option } from './context-options';

/**
 * Ways that a situation can be beside what rules read: how well the action fits the request, who recorded that, whether there is a grant.
 * Guards and further decision points are left out: what they find only tightens, and two decisions that are the same stay the same with it.
 */
export function usualWays(policies: readonly CompiledPolicy[], needs: { readonly lifts: boolean; readonly grant: boolean }): readonly (readonly Option[])[] {
  let ways: readonly (readonly Option[])[] = [[]];
  const times = (options: readonly Option[]): void => {
    ways = ways.flatMap((way) => options.map((option) => [...way, option]));
  };
  if (needs.grant) times([{ words: 'without a grant', put: () => undefined }, { words: 'with a grant', put: (draft) => void (draft.grants = ['a-grant']) }]);
  if (!needs.lifts) return ways;
  const fits = new Map<string, Option>();
  for (const alignment of [1000, ...policies.flatMap(({ confidence: { high, low } }) => [high, high - 1, low, low - 1]), 0]) {
    if (alignment < 0 || alignment > 1000) continue;
    const classes = policies.map(({ confidence }) => confidenceOf(alignment, confidence));
    const key = classes.join(' ');
    if (!fits.has(key)) fits.set(key, { words: alignment === 1000 ? '' : `fits the request to ${String(alignment / 10)} %`, put: (draft) => void (draft.alignment = alignment) });
  }
  times([...fits.values()]);
  times([{ words: '', put: () => undefined }, { words: 'the request was recorded on the agent’s host', put: (draft) => void (draft.assurance = 'same_host') }]);
  return ways;
}

/**
 * What lies over every decision: too little known to judge by, which waits, and an argument that cannot be read, which asks people.
 * `runs`: without it one of the decisions would let the action run.
 */
export function overlays(policies: readonly CompiledPolicy[], entry: CatalogueEntry, chosen: ReadonlyMap<string, Option>, runs: boolean): readonly Option[] {
  const bounds = [...new Set(policies.map(({ confidence }) => confidence.defer_below))].filter((bound) => bound > 0);
  const unjudged = chosen.has('intent') ? [] : bounds.map((bound): Option => ({
    words: `less than ${String(bound / 10)} % of what it takes to judge is known`,
    put: (draft) => {
      draft.intent = null;
      draft.evaluability = bound - 1;
    },
  }));
  const open = Object.entries(entry.parameters).flatMap(([name, { role, type }]) => {
    const odd = role === undefined ? undefined : unreadable[role];
    return odd === undefined || chosen.has(`parameter ${name}`) ? [] : [{ name, value: type === 'array' ? [odd] : odd }];
  });
  if (!runs || open.length === 0) return unjudged;
  return [...unjudged, {
    words: 'an argument that cannot be read',
    put: (draft) => {
      // One that is left out, so that what the action is about stays; where there is none, one that has to be given.
      const free = open.find(({ name }) => !Object.hasOwn(draft.parameters, name)) ?? open.find(({ name }) => entry.parameters[name]?.optional !== true);
      if (free) draft.parameters[free.name] = free.value;
    },
  }];
}

const unreadable: Readonly<Partial<Record<ParameterRole, string>>> = { recipients: 'a@b@c.test', path: '../../zz', url: 'nowhere', command: 'ls && $(cat zz', query: 'SELEKT zz' };
