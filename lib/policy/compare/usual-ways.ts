import type { CompiledPolicy } from '@/lib/engine/policy';
import { confidenceOf } from '@/lib/engine/measure-alignment';

import type { CatalogueEntry, ParameterRole } from '@/lib/mediate/catalogue';

import type { Option } from './context-options';
import { subjectValues } from './subject-options';

/** Whether a grant is needed: under both policies alike, by one of them, or not at all. */
export type Grants = 'both' | 'one' | 'none';

/**
 * Ways that a situation can be beside what rules read: how well the action fits the request, who recorded that, whether there is a grant.
 * Guards and further decision points are left out: what they find only tightens, and two decisions that are the same stay the same with it.
 */
export function usualWays(policies: readonly CompiledPolicy[], { lifts, grants }: { readonly lifts: boolean; readonly grants: Grants }): readonly (readonly Option[])[] {
  const granted: Option = { words: 'with a grant', put: (draft) => void (draft.grants = ['a-grant']) };
  // Where both need one, both deny without it.
  const first = grants === 'none' ? [[]] : grants === 'both' ? [[granted]] : [[{ words: 'without a grant', put: () => undefined }], [granted]];
  if (!lifts) return first;
  const fits = new Map<string, Option>();
  for (const alignment of [1000, ...policies.flatMap(({ confidence: { high, low } }) => [high, high - 1, low, low - 1]), 0]) {
    if (alignment < 0 || alignment > 1000) continue;
    const key = policies.map(({ confidence }) => confidenceOf(alignment, confidence)).join(' ');
    if (!fits.has(key)) fits.set(key, { words: alignment === 1000 ? '' : `fits the request to ${String(alignment / 10)} %`, put: (draft) => void (draft.alignment = alignment) });
  }
  // A request that was recorded on the agent's host supports no more than one that fits well enough to ask people.
  const medium = policies.map(() => 'medium').join(' ');
  const known = fits.get(medium);
  fits.set(medium, known ? { ...known, words: `${known.words}, or the request was recorded on the agent’s host` } : { words: 'the request was recorded on the agent’s host', put: (draft) => void (draft.assurance = 'same_host') });
  return first.flatMap((way) => [...fits.values()].map((fit) => [...way, fit]));
}

/**
 * What lies over every decision: too little known to judge by, which waits, and an argument that cannot be read, which asks people.
 * `runs`: without it one of the decisions would let the action run.
 */
export function overlays(policies: readonly CompiledPolicy[], entry: CatalogueEntry, chosen: ReadonlyMap<string, Option>, runs: boolean): readonly Option[] {
  const bounds = [...new Set(policies.map(({ confidence }) => confidence.defer_below))].filter((bound) => bound > 0);
  const lack = lackOf(policies, entry, chosen);
  const unjudged = bounds.map((bound): Option => ({
    words: `less than ${String(bound / 10)} % of what it takes to judge is known`,
    put: (draft) => {
      draft.evaluability = bound - 1;
      lack(draft);
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

/** What it takes to judge has to be something that somebody can still say, and that no rule waits for by itself if there is such a thing. */
function lackOf(policies: readonly CompiledPolicy[], entry: CatalogueEntry, chosen: ReadonlyMap<string, Option>): Option['put'] {
  if (!chosen.has('intent')) {
    return (draft) => {
      draft.intent = null;
      draft.lacking = ['user_intent'];
    };
  }
  const names = [...new Set(policies.flatMap(({ information }) => [...information.keys()]))].sort();
  const open = names.filter((name) => !chosen.has(`attribute target ${name}`));
  const inputs = (open.length > 0 ? open : names).map((name) => (name === 'owner' ? 'target_ownership' : `attributes.${name}`));
  // They are said of what the action is about, which it may not have told yet.
  const free = chosen.has('subject target') ? [] : Object.entries(entry.parameters).filter(([name]) => !chosen.has(`parameter ${name}`));
  const [told] = telling.flatMap((role) => free.filter(([, spec]) => spec.role === role));
  return (draft) => {
    draft.lacking = open.length > 0 ? inputs : [...inputs, 'user_intent'];
    const [value] = told ? subjectValues(told[1]) : [];
    if (told && value !== undefined) draft.parameters[told[0]] = value;
  };
}

/** What an action is about is told by these, the surest first. */
const telling: readonly ParameterRole[] = ['target', 'path', 'query', 'url', 'recipients'];

const unreadable: Readonly<Partial<Record<ParameterRole, string>>> = { recipients: 'a@b@c.test', path: '../../zz', url: 'nowhere', command: 'ls && $(cat zz', query: 'SELEKT zz' };
