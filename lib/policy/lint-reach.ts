import type { Note } from './lint-finding';
import type { ParsedPolicy } from './parse-policy';

/** Tools that a policy describes and nothing of it ever permits, though it does not say DENY of them either. */
export function lintReach({ catalogue, rules, settings, ownTools }: ParsedPolicy, note: Note): void {
  for (const { key, path } of ownTools) {
    const entry = catalogue.entries.get(key);
    if (!entry || (entry.decision ?? settings.defaults.decision) !== 'DENY' || entry.decision === 'DENY') continue;
    const about = rules.filter((rule) => rule.keys.has(key));
    if (about.some(({ action }) => action !== 'DENY')) continue;
    // Denied by name is meant; by a rule for everything it is only met.
    if (about.some((rule) => rule.keys.size < catalogue.entries.size / 2)) continue;
    note('unreachable_tool', null, `No rule permits ${key}, and its baseline denies it.`, 'Add a rule that allows or asks, give it a decision, or remove it.', path);
  }
}
