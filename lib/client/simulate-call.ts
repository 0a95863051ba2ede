import type { ParsedPolicy } from '@/lib/policy/parse-policy';
import { decisionLines } from '@/lib/policy/simulate/decision-lines';
import { readAsked, readGiven, type Asked } from '@/lib/policy/simulate/read-asked';
import { simulate } from '@/lib/policy/simulate/simulate';
import { parseStrictJson } from '@/lib/shared/strict-json';
import { fail, type Fault, type Result } from '@/lib/shared/result';

import type { CallAsked, DeskRequest, PolicyTextAsked, Refusal, SimulatedCall, SimulatedText } from './policy-desk-messages';

/** One call under the draft and under the policy in force, decided and explained as `countersign policy simulate` and `explain` do. */
export function simulateCall({ draft, inForce, call }: Extract<DeskRequest, { kind: 'simulate' }>, parse: (asked: PolicyTextAsked) => Result<ParsedPolicy>): SimulatedCall {
  const asked = read(call);
  if (!asked.ok) return { asked: refusalOf(asked.error), draft: null, inForce: null };
  const [question] = asked.value;
  if (question === undefined) return { asked: { code: 'invalid_input', detail: 'There is no action.', fix: null, issues: [] }, draft: null, inForce: null };
  const under = (text: PolicyTextAsked): SimulatedText => decidedUnder(question, parse(text));
  // The draft last: it is what the desk remembers.
  const before = inForce && under(inForce);
  return { asked: null, draft: under(draft), inForce: before };
}

function read({ tool, operation, parameters, given }: CallAsked): Result<readonly Asked[]> {
  const context = readGiven(given);
  if (!context.ok) return context;
  const json = parseStrictJson(parameters.trim() === '' ? '{}' : parameters);
  if (!json.ok) return fail(json.error.code, `The arguments are no JSON: ${json.error.detail}`, { issues: json.error.issues ?? [], fix: 'Write one JSON object.' });
  return readAsked(JSON.stringify({ tool, operation, parameters: json.value }), context.value);
}

function decidedUnder(question: Asked, parsed: Result<ParsedPolicy>): SimulatedText {
  if (!parsed.ok) return { state: 'refused', by: 'policy', refusal: refusalOf(parsed.error) };
  const simulated = simulate(question, parsed.value);
  if (!simulated.ok) return { state: 'refused', by: 'action', refusal: refusalOf(simulated.error) };
  const { decision, rules, changes } = simulated.value;
  return { state: 'decided', decision, lines: decisionLines(decision), rules, changes };
}

const refusalOf = ({ code, detail, fix, issues }: Fault): Refusal => ({ code, detail, fix: fix ?? null, issues: issues ?? [] });
