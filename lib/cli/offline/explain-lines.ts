import { decisionLines } from '@/lib/policy/simulate/decision-lines';
import type { ExplainedCondition, ExplainedRule } from '@/lib/policy/simulate/explain-rule';
import type { Simulated } from '@/lib/policy/simulate/simulate';
import { canonicalJson } from '@/lib/shared/canonical-json';

/** Why, for a person: the decision, where it began, every rule for this operation with what it looked at, and what would change it. */
export function explainLines({ decision, situation, rules, changes }: Simulated): readonly string[] {
  const { action, policy } = situation;
  const named = `${action.tool}.${action.operation}`;
  const deciding = new Set(decision.determining.map(({ id }) => id));
  return [
    `${named} ${canonicalJson(action.parameters)}`,
    `Decision    ${decision.decision} (${decision.code}), ${decision.classification}, impact ${decision.impact}`,
    `            ${decision.reason}`,
    ...decisionLines(decision).map((line) => `            ${line}`),
    `Baseline    ${decision.baseline.decision}, from ${decision.baseline.from}`,
    `Alignment   ${share(decision.alignment)} (high from ${share(policy.confidence.high)}, low under ${share(policy.confidence.low)})`,
    `Known       ${share(decision.evaluability)} of what alignment is measured from (deferred under ${share(policy.confidence.defer_below)})`,
    ...(action.facts.opaque.length > 0 ? [`Opaque      ${action.facts.opaque.join(', ')}`] : []),
    '',
    rules.length === 0 ? `No rule names ${named}.` : `Rules for ${named}, by priority`,
    ...rules.flatMap((rule) => ruleLines(rule, deciding.has(rule.id))),
    '',
    changes.length === 0 ? 'No single rule or fact would change it.' : 'What would change it',
    ...changes.map((change) => `  ${change.if}: ${change.decision} (${change.code})`),
  ];
}

function ruleLines({ id, action, classification, priority, truth, conditions, missing }: ExplainedRule, decides: boolean): readonly string[] {
  return [
    `  ${truth.padEnd(14)}  ${id}: ${action}, ${classification}, priority ${String(priority)}${decides ? '  ← decides' : ''}`,
    ...conditions.map(conditionLine),
    ...missing.map((field) => `                    missing: ${field}`),
  ];
}

const conditionLine = ({ depth, truth, says, read }: ExplainedCondition): string =>
  `                    ${'  '.repeat(depth)}${truth}: ${says}${read === null ? '' : `; read ${read}`}`;

/** Thousandths as people write them. */
const share = (thousandths: number | null): string => (thousandths === null ? 'not measured' : String(thousandths / 1000));
