import type { Decision } from '@/lib/engine/decision';
import { always } from '@/lib/engine/predicate';
import type { Rule } from '@/lib/engine/rule';
import type { Situation } from '@/lib/engine/situation';
import { judgeRule } from '@/lib/engine/judge-rule';

import { compilePolicy } from '../compile-policy';
import type { ParsedPolicy } from '../parse-policy';
import { decideIn } from './decide-asked';

export type Counterfactual = { readonly if: string; readonly decision: Decision['decision']; readonly code: string };

/** Rules that are tried otherwise: an explanation that nobody reads to its end explains nothing. */
const mostRules = 50;

/** Each single change, of a rule or of a fact, after which the decision would be another one: found by deciding again. */
export function whatWouldChange(situation: Situation, parsed: ParsedPolicy, decision: Decision): readonly Counterfactual[] {
  const { action, policy, snapshot } = situation;
  const key = `${action.tool}.${action.operation}`;
  const withRules = (rules: readonly Rule[]): Situation => ({ ...situation, policy: compilePolicy({ ...parsed, rules }) });
  const without = (rule: Rule): Situation => withRules(parsed.rules.filter((other) => other !== rule));
  const holding = (rule: Rule): Situation => withRules(parsed.rules.map((other) => (other === rule ? { ...rule, applies: always, context: always } : other)));
  const tried: [string, Situation][] = [];
  for (const rule of policy.rules.filter(({ keys }) => keys.has(key)).slice(0, mostRules)) {
    const truth = judgeRule(rule, situation)?.truth ?? 'false';
    if (truth === 'true') tried.push([`without ${rule.id}`, without(rule)]);
    else tried.push([`if ${rule.id} held`, holding(rule)]);
    if (truth === 'unknown') tried.push([`if ${rule.id} did not hold`, without(rule)]);
  }
  const deciding = new Set(decision.determining.map(({ id }) => id));
  if (deciding.size > 1) tried.push([`without ${[...deciding].join(', ')}`, withRules(parsed.rules.filter(({ id }) => !deciding.has(id)))]);
  const scored = (score: number) => ({ ...situation, snapshot: { ...snapshot, signals: snapshot.signals.map((signal) => ({ ...signal, score })) } });
  tried.push(['if the action fitted the request entirely', scored(1000)], ['if it did not fit the request at all', scored(0)]);
  if (action.entry.grant && snapshot.grants.length === 0) tried.push(['with a grant', { ...situation, snapshot: { ...snapshot, grants: ['any'] } }]);
  return tried.flatMap(([change, other]) => {
    const found = decideIn(other);
    return found.decision === decision.decision ? [] : [{ if: change, decision: found.decision, code: found.code }];
  });
}
