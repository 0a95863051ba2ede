import { applyChange, Misfit } from '@/lib/engine/apply-change';
import type { Modification } from '@/lib/engine/rule';
import type { Situation } from '@/lib/engine/situation';
import { deriveFacts } from '@/lib/mediate/facts';
import { canonicalJson } from '@/lib/shared/canonical-json';

/** More ways than these in which changes may follow each other are not worked out. */
const mostStates = 12;

/**
 * The action as it stands and as any of the changes, one after the other, may leave it: the action is decided again after a change, and
 * another rule may hold then. Null: there are too many.
 */
export function changedStates(situation: Situation, changes: readonly Modification[]): readonly Situation[] | null {
  const found = new Map<string, Situation>([[canonicalJson(situation.action.parameters), situation]]);
  for (const one of found.values()) {
    for (const change of changes) {
      const parameters = applyChange(one.action.parameters, change, one.policy.internalDomains);
      // What cannot be changed is denied, and nothing is decided about it again.
      if (parameters instanceof Misfit || parameters === one.action.parameters) continue;
      const key = canonicalJson(parameters);
      if (found.has(key)) continue;
      if (found.size >= mostStates) return null;
      found.set(key, { ...one, action: { ...one.action, parameters, facts: deriveFacts(one.action.entry, parameters) } });
    }
  }
  return [...found.values()];
}
