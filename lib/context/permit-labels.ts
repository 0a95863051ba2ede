import type { CanonicalAction } from '@/lib/mediate/action';

/**
 * Labels that issuing a permit for the action raises: what the catalogue says about each table, path or target that it
 * reads, and `unclassified` for whatever it says nothing about: one unknown table in a join is not made harmless by a
 * known one, and what an opaque argument reads nobody knows. Operations that only write or send show nothing new.
 */
export function permitLabels(action: CanonicalAction, unclassified: string): readonly string[] {
  const { entry, facts, tool } = action;
  const labels = new Set<string>();
  const shows = showsContent(action);
  const everything = entry.labels.some((rule) => rule.reads === '*');
  for (const thing of thingsRead(action)) {
    const rules = entry.labels.filter((rule) => rule.reads === '*' || covers(rule.reads, thing, tool));
    for (const rule of rules) for (const label of rule.add) labels.add(label);
    if (rules.length === 0 && shows) labels.add(unclassified);
  }
  if (facts.opaque.length > 0 && shows && !everything) labels.add(unclassified);
  return [...labels].sort();
}

/** Reading and running show their results; so does whatever fetches a URL. */
export function showsContent({ entry, facts }: CanonicalAction): boolean {
  if (facts.effects.includes('read') || facts.effects.includes('execute')) return true;
  return facts.effects.includes('communicate') && Object.values(entry.parameters).some((spec) => spec.role === 'url');
}

function thingsRead({ facts, tool, operation }: CanonicalAction): readonly string[] {
  if (facts.tables.length > 0) return facts.tables;
  if (facts.paths.length > 0) return facts.paths;
  return [facts.target ?? `${tool}.${operation}`];
}

/** A target with or without its tool, a table with or without its schema, a path or a folder above it. */
function covers(reads: string, thing: string, tool: string): boolean {
  const wanted = reads.toLowerCase();
  const found = thing.toLowerCase();
  if (found === wanted || found === `${tool}:${wanted}` || found.endsWith(`.${wanted}`)) return true;
  return found.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`);
}
