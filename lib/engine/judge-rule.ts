import { hold } from './hold';
import { missingFields } from './missing-fields';
import { readAttribute } from './read-attribute';
import { readField } from './read-field';
import { unavailable, type Missing, type Reading } from './reading';
import { isLoosening, type NeededField, type Rule } from './rule';
import type { Situation } from './situation';
import { both, type Truth } from './truth';

/** A rule whose action part is not false, with the truth of the whole. */
export type Judged = { readonly rule: Rule; readonly truth: Truth };

/** Null: the action part is false and the rule does not apply. A DEFER that waits for fields holds only while one is missing. */
export function judgeRule(rule: Rule, situation: Situation): Judged | null {
  const cautious = isLoosening(rule);
  const applies = hold(rule.applies, situation, cautious);
  if (applies === 'false') return null;
  const truth = both(applies, hold(rule.context, situation, cautious));
  const waits = rule.action === 'DEFER' && rule.needs.length > 0;
  if (truth !== 'false' && waits && rule.needs.every((need) => isKnown(readNeed(need, situation)))) return { rule, truth: 'false' };
  return { rule: waits ? effectiveRule(rule, situation) : rule, truth };
}

/**
 * The rule as it counts now: a DEFER whose every field was settled, one of them as unavailable, would ask for what cannot come
 * any more, so it denies.
 */
function effectiveRule(rule: Rule, situation: Situation): Rule {
  const states = rule.needs.map((need) => readNeed(need, situation).state);
  return states.every((state) => state !== 'unknown') && states.includes('unavailable') ? { ...rule, action: 'DENY' } : rule;
}

/** That there is none, such as recipients of what is sent to nobody, is known too. */
const isKnown = ({ state }: Reading): boolean => state === 'known' || state === 'absent';

/** The fields that a true DEFER rule waits for and that are still missing. */
export function missingNeeds(rule: Rule, situation: Situation): readonly Missing[] {
  return rule.needs.flatMap((need) => {
    const reading = readNeed(need, situation);
    return reading.state === 'unknown' ? [reading.missing] : [];
  });
}

/** The fields that would settle an unknown rule. */
export function missingOf(rule: Rule, situation: Situation): readonly Missing[] {
  const cautious = isLoosening(rule);
  return [...missingFields(rule.applies, situation, cautious), ...missingFields(rule.context, situation, cautious)];
}

/** What nobody could supply, because an argument cannot be parsed or names nothing, is as good as settled: it will not come. */
function readNeed(need: NeededField, situation: Situation): Reading {
  const about = need.field.startsWith('recipient.') ? 'recipients' : 'target';
  const reading = need.attribute !== null ? readAttribute(situation, need.attribute, need.field, about) : readField(situation, need.field === 'user_intent' ? { of: 'intent' } : { of: 'recipient' });
  return reading.state === 'unknown' && reading.missing.opaque ? unavailable : reading;
}
