import type { CanonicalAction } from '@/lib/mediate/action';

import type { PolicySettings } from './policy';

/**
 * Labels that issuing a permit for this action raises: what the catalogue says about the target, paths or tables that it
 * reads; where it says nothing, the policy's `unclassified`. Operations that only write or send show the session nothing new.
 */
export function labelsFor(action: CanonicalAction, policy: Pick<PolicySettings, 'defaults'>): readonly string[] {
  const labels = new Set<string>();
  for (const rule of action.entry.labels) if (readsMatch(rule.reads, action)) for (const label of rule.add) labels.add(label);
  const shows = action.entry.effect === 'read' || action.entry.effect === 'execute';
  if (labels.size === 0 && shows) labels.add(policy.defaults.unclassified);
  return [...labels].sort();
}

function readsMatch(reads: string, action: CanonicalAction): boolean {
  if (reads === '*') return true;
  const { target, paths, tables } = action.facts;
  const wanted = reads.toLowerCase();
  if (target !== undefined && (target.toLowerCase() === wanted || target.toLowerCase() === `${action.tool}:${wanted}`)) return true;
  if (tables.some((table) => table.toLowerCase() === wanted || table.toLowerCase().endsWith(`.${wanted}`))) return true;
  return paths.some((path) => path === reads || path.startsWith(reads.endsWith('/') ? reads : `${reads}/`));
}
