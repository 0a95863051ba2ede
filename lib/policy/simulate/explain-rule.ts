import { hold } from '@/lib/engine/hold';
import { judgeRule, missingNeeds } from '@/lib/engine/judge-rule';
import { missingFields } from '@/lib/engine/missing-fields';
import type { Predicate, Test } from '@/lib/engine/predicate';
import { fieldName, readField } from '@/lib/engine/read-field';
import type { Missing, Reading } from '@/lib/engine/reading';
import { isLoosening, type Rule } from '@/lib/engine/rule';
import type { Situation } from '@/lib/engine/situation';
import { suppliersOf } from '@/lib/engine/suppliers-of';
import type { Truth } from '@/lib/engine/truth';
import { assertNever } from '@/lib/shared/assert-never';

/** One comparison of a rule, or a word that holds several together, with what it came to. `depth` counts from the rule. */
export type ExplainedCondition = { readonly depth: number; readonly truth: Truth; readonly says: string; readonly read: string | null };

export type ExplainedRule = {
  readonly id: string;
  readonly action: Rule['action'];
  readonly classification: Rule['classification'];
  readonly priority: number;
  /** `does not apply`: tool and operation fit, but not the rest of the action. */
  readonly truth: Truth | 'does not apply';
  readonly conditions: readonly ExplainedCondition[];
  /** What would settle it, with who could say. */
  readonly missing: readonly string[];
};

/** A rule for this action's tool and operation: whether it holds, with everything that it looked at. */
export function explainRule(rule: Rule, situation: Situation): ExplainedRule {
  const judged = judgeRule(rule, situation);
  const cautious = isLoosening(rule);
  const parts = [rule.applies, rule.context].flatMap(conjunctsOf);
  const missing = judged === null ? [] : [...parts.flatMap((part) => missingFields(part, situation, cautious)), ...(rule.action === 'DEFER' ? missingNeeds(rule, situation) : [])];
  return {
    id: rule.id,
    action: rule.action,
    classification: rule.classification,
    priority: rule.priority,
    truth: judged?.truth ?? 'does not apply',
    conditions: parts.flatMap((part) => conditionsOf(part, situation, cautious, 0)),
    missing: [...new Set(missing.map((one) => missingText(one, situation)))],
  };
}

/** What all has to hold, each by itself. */
const conjunctsOf = (predicate: Predicate): readonly Predicate[] => (predicate.is === 'all' ? predicate.of.flatMap(conjunctsOf) : [predicate]);

function conditionsOf(predicate: Predicate, situation: Situation, cautious: boolean, depth: number): readonly ExplainedCondition[] {
  const truth = hold(predicate, situation, cautious);
  switch (predicate.is) {
    case 'all':
    case 'any':
      return [
        { depth, truth, says: predicate.is === 'all' ? 'all of these' : 'any of these', read: null },
        ...predicate.of.flatMap((part) => conditionsOf(part, situation, cautious, depth + 1)),
      ];
    case 'not':
      return [{ depth, truth, says: 'not', read: null }, ...conditionsOf(predicate.of, situation, !cautious, depth + 1)];
    case 'compare':
      return [{
        depth, truth, says: `${fieldName(predicate.left)} ${predicate.op} ${fieldName(predicate.right)}`,
        read: [predicate.left, predicate.right].map((field) => readingText(readField(situation, field))).join(', '),
      }];
    case 'sequence':
      return [{ depth, truth, says: `a sequence of ${String(predicate.before.length + 1)} steps${predicate.within_s === null ? '' : ` within ${String(predicate.within_s)} s`}`, read: null }];
    case 'test':
      return [{ depth, truth, says: `${fieldName(predicate.field)} ${testText(predicate.test)}`, read: readingText(readField(situation, predicate.field)) }];
    default:
      return assertNever(predicate);
  }
}

/** The comparison in the words of the language: its operator, and what it compares with. */
function testText({ op, ...compared }: Test): string {
  const [value] = Object.entries(compared).filter(([name]) => name !== 'pattern' && name !== 'implied');
  return `${op} ${JSON.stringify(value?.[1])}`;
}

function readingText(reading: Reading): string {
  switch (reading.state) {
    case 'known':
      return JSON.stringify(reading.set ? reading.values : (reading.values[0] ?? null));
    case 'at_least':
      return `at least ${String(reading.value)}`;
    case 'unknown':
      return reading.partly.length === 0 ? 'unknown' : `unknown, in part ${JSON.stringify(reading.partly)}`;
    case 'absent':
      return 'absent';
    case 'unavailable':
      return 'settled as unavailable';
    default:
      return assertNever(reading);
  }
}

function missingText({ field, subject, attribute, opaque }: Missing, { policy }: Situation): string {
  if (opaque) return `${field}, which cannot be parsed`;
  return `${field}${subject === null ? '' : ` of ${subject}`}, from ${suppliersOf(field, attribute, policy).join(' or ') || 'nobody'}`;
}
