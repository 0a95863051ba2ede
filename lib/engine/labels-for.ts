import type { CanonicalAction } from '@/lib/mediate/action';

import type { PolicySettings } from './policy';

/**
 * Labels that issuing a permit for this action raises: what the catalogue says about each table, path or target that it
 * reads. Anything read that the catalogue says nothing about adds the policy's `unclassified`: one unknown table in a join
 * is not made harmless by a known one. Operations that only write or send show the session nothing new.
 */
export function labelsFor(action: CanonicalAction, policy: Pick<PolicySettings, 'defaults'>): readonly string[] {
  const labels = new Set<string>();
  const shows = action.entry.effect === 'read' || action.entry.effect === 'execute';
  for (const thing of thingsRead(action)) {
    const rules = action.entry.labels.filter((rule) => rule.reads === '*' || matches(rule.reads, thing, action.tool));
    for (const rule of rules) for (const label of rule.add) labels.add(label);
    if (rules.length === 0 && shows) labels.add(policy.defaults.unclassified);
  }
  return [...labels].sort();
}

function thingsRead({ facts, tool, operation }: CanonicalAction): readonly string[] {
  if (facts.tables.length > 0) return facts.tables;
  if (facts.paths.length > 0) return facts.paths;
  return [facts.target ?? `${tool}.${operation}`];
}

function matches(reads: string, thing: string, tool: string): boolean {
  const wanted = reads.toLowerCase();
  const found = thing.toLowerCase();
  if (found === wanted || found === `${tool}:${wanted}` || found.endsWith(`.${wanted}`)) return true;
  return found.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`);
}
