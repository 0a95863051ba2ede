import type { CanonicalAction } from '@/lib/mediate/action';
import type { Catalogue } from '@/lib/mediate/catalogue';

const known = new WeakMap<Catalogue, ReadonlyMap<string, string | null>>();

/**
 * Which of a tool's target parameters a reference `<tool>:<value>` means. Where file 5 and event 5 are both `workspace:5`, it is the kind
 * that most operations take, and of two that as many take it is neither; the others are named as `<tool>/<parameter>:<value>`.
 * Null: no kind. The same for the same catalogue.
 */
export function plainTargetOf(catalogue: Catalogue, tool: string): string | null {
  const kinds = known.get(catalogue) ?? kindsIn(catalogue);
  known.set(catalogue, kinds);
  return kinds.get(tool) ?? null;
}

function kindsIn(catalogue: Catalogue): ReadonlyMap<string, string | null> {
  const taken = new Map<string, Map<string, number>>();
  for (const { tool, parameters } of catalogue.entries.values()) {
    const counts = taken.get(tool) ?? new Map<string, number>();
    taken.set(tool, counts);
    for (const name of Object.keys(parameters)) if (parameters[name]?.role === 'target') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map([...taken].map(([tool, counts]): [string, string | null] => {
    const [first, second] = [...counts].sort((a, b) => b[1] - a[1]);
    return [tool, first && first[1] > (second?.[1] ?? 0) ? first[0] : null];
  }));
}

/** The parameters that make up the action's target, joined as its values are; undefined where something else stands for it. */
export function targetParameter({ entry, parameters }: CanonicalAction): string | undefined {
  const names = Object.keys(entry.parameters).filter((name) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    return entry.parameters[name]?.role === 'target' && value !== undefined && value !== null;
  });
  return names.length === 0 ? undefined : names.join('.');
}
