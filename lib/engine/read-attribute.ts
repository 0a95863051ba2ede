import type { AttributeFact } from '@/lib/context/snapshot';
import type { Json } from '@/lib/shared/json';

import { several, unavailable, unknown, type Reading } from './reading';
import type { Situation } from './situation';

/** How far ahead an information point's clock may be before its observation is not believed. */
const aheadMs = 60_000;

/**
 * An attribute of what the action names, from the sources that the policy lists for it and not older than it allows; from
 * anyone else it is stored and shown, and unknown here. It has to be known of everything that is named. Sources that disagree
 * are several values.
 */
export function readAttribute(situation: Situation, name: string, field: string): Reading {
  const ofAction = name.startsWith('effect.') || name.startsWith('precondition.');
  const subjects = ofAction ? [null] : subjectsOf(situation);
  const values: Json[] = [];
  for (const subject of subjects) {
    const facts = situation.snapshot.attributes.filter(
      (fact) => fact.name === name && (subject === null ? fact.subject.startsWith('action:') : fact.subject === subject) && isUsable(situation, fact),
    );
    if (facts.length === 0) return unknown(field, { subject, attribute: name });
    const said = facts.filter((fact) => !fact.unavailable).flatMap((fact) => (Array.isArray(fact.value) ? [...(fact.value as readonly Json[])] : [fact.value]));
    if (said.length === 0) return unavailable;
    values.push(...said);
  }
  // What names nothing has no owner that anybody could supply.
  return values.length > 0 ? several(values) : unknown(field, { attribute: name, opaque: true });
}

/** The target; where there are several, every table and path. */
function subjectsOf({ action }: Situation): readonly string[] {
  const { target, tables, paths } = action.facts;
  if (target !== undefined) return [target];
  return [...tables.map((table) => `${action.tool}:${table}`), ...paths.map((path) => `files:${path}`)];
}

function isUsable({ policy, nowMs }: Situation, fact: AttributeFact): boolean {
  const source = policy.information.get(fact.name);
  if (!source?.from.includes(fact.source)) return false;
  const ageMs = nowMs - Date.parse(fact.observed_at);
  return ageMs >= -aheadMs && (source.max_age_s === null || ageMs <= source.max_age_s * 1000);
}
