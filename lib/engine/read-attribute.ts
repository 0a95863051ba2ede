import type { AttributeFact } from '@/lib/context/snapshot';
import type { Json } from '@/lib/shared/json';
import { parseTime } from '@/lib/shared/parse-time';

import { absent, several, unavailable, unknown, type Reading } from './reading';
import type { Situation } from './situation';

/** How far ahead an information point's clock may be before its observation is not believed. */
const aheadMs = 60_000;

/**
 * An attribute of what the action names, from the sources that the policy lists for it and not older than it allows; from
 * anyone else it is stored and shown, and unknown here. It has to be known of everything that is named: what is known of a part
 * is `partly`. Sources that disagree are several values.
 */
export function readAttribute(situation: Situation, name: string, field: string, about: 'target' | 'recipients' = 'target'): Reading {
  const opaque = about === 'recipients' ? opaqueRecipients(situation) : undefined;
  const subjects = subjectsOf(situation, name, about);
  if (about === 'recipients' && subjects.length === 0 && opaque === undefined) return absent;
  const values: Json[] = [];
  let missing: string | null | undefined;
  for (const subject of subjects) {
    const facts = situation.snapshot.attributes.filter(
      (fact) => fact.name === name && (subject === null ? fact.subject.startsWith('action:') : fact.subject === subject) && isUsable(situation, fact),
    );
    const said = facts.filter((fact) => !fact.unavailable).flatMap((fact) => (Array.isArray(fact.value) ? [...(fact.value as readonly Json[])] : [fact.value]));
    // One of whom nothing can be said is enough: rules that allow then do not apply, rules that hold back do.
    if (facts.length > 0 && said.length === 0) return unavailable;
    if (facts.length === 0) missing ??= subject;
    values.push(...said);
  }
  if (missing !== undefined) return unknown(field, { subject: missing, attribute: name }, values);
  if (opaque !== undefined) return unknown(`parameters.${opaque}`, { opaque: true }, values);
  // What names nothing has no owner that anybody could supply.
  return values.length > 0 ? several(values) : unknown(field, { attribute: name, opaque: true });
}

/** The target; where there are several, every table and path. Null: the action itself. */
function subjectsOf({ action }: Situation, name: string, about: 'target' | 'recipients'): readonly (string | null)[] {
  const { target, tables, paths, recipients } = action.facts;
  if (about === 'recipients') return recipients.map((address) => `recipient:${address}`);
  if (name.startsWith('effect.') || name.startsWith('precondition.')) return [null];
  if (target !== undefined) return [target];
  return [...tables.map((table) => `${action.tool}:${table}`), ...paths.map((path) => `files:${path}`)];
}

/** The parameter whose recipients could not be read: who else gets it, nobody can say. */
export const opaqueRecipients = ({ action: { entry, facts } }: Situation): string | undefined =>
  facts.opaque.find((name) => Object.hasOwn(entry.parameters, name) && entry.parameters[name]?.role === 'recipients');

/** From a source that the policy lists for it, and not older than it allows. */
export function isUsable({ policy, nowMs }: Situation, fact: AttributeFact): boolean {
  const source = policy.information.get(fact.name);
  if (!source?.from.includes(fact.source)) return false;
  const ageMs = nowMs - parseTime(fact.observed_at);
  return ageMs >= -aheadMs && (source.max_age_s === null || ageMs <= source.max_age_s * 1000);
}
