import type { InsistingRules, OperationRules, StepRules } from './policy';
import { readField } from './read-field';
import type { Situation } from './situation';

const none: StepRules = { forbidden: [], statics: [], denies: [], allows: [], joins: [] };

/**
 * The lists in which every rule is whose action part may not be false. Rules that insist on another value than the one that is
 * there are in none of them. Where the value is not one plain text, all of them are looked at: what a test then means is its own affair.
 */
export function rulesFor(rules: OperationRules | undefined, situation: Situation): readonly StepRules[] {
  if (!rules) return [none];
  if (rules.insisting.length === 0) return [rules.open];
  return [rules.open, ...rules.insisting.map((insisting) => withValue(insisting, situation))];
}

function withValue({ field, byValue, all }: InsistingRules, situation: Situation): StepRules {
  const reading = readField(situation, field);
  if (reading.state === 'absent') return none;
  if (reading.state !== 'known') return all;
  const [only] = reading.values;
  return reading.values.length === 1 && typeof only === 'string' ? (byValue.get(only) ?? none) : all;
}
