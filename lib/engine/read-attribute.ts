import type { AttributeFact } from '@/lib/context/snapshot';

import { several, unavailable, unknown, type Reading } from './reading';
import type { Situation } from './situation';

/** How far ahead an information point's clock may be before its observation is not believed. */
const aheadMs = 60_000;

/**
 * An attribute of what the action names, from the sources that the policy lists for it and not older than it allows. From
 * anyone else it is stored and shown, and unknown here. Sources that disagree are several values.
 */
export function readAttribute(situation: Situation, name: string, field: string): Reading {
  const { action, snapshot, policy } = situation;
  const target = action.facts.target ?? null;
  const facts = snapshot.attributes.filter(
    (fact) => fact.name === name && (fact.subject === target || fact.subject.startsWith('act_')) && isUsableFact(situation, fact),
  );
  if (facts.length > 0) {
    const said = facts.filter((fact) => !fact.unavailable);
    if (said.length === 0) return unavailable;
    const values = said.flatMap((fact) => (Array.isArray(fact.value) ? [...fact.value] : [fact.value]));
    return values.length > 0 ? several(values) : unavailable;
  }
  const opaque = target === null && action.facts.opaque.length > 0 && !policy.information.has(name);
  return unknown(field, { subject: target, attribute: name, opaque });
}

/** True when the policy lists the fact's source for that attribute and the observation is young enough. */
export function isUsableFact({ policy, nowMs }: Situation, fact: AttributeFact): boolean {
  const source = policy.information.get(fact.name);
  if (!source || !source.from.includes(fact.source)) return false;
  const ageMs = nowMs - Date.parse(fact.observed_at);
  return ageMs >= -aheadMs && (source.max_age_s === null || ageMs <= source.max_age_s * 1000);
}
