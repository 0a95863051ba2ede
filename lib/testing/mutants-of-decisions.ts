import type { Snapshot } from '@/lib/context/snapshot';
import type { Classification, Decision } from '@/lib/engine/decision';
import { hold } from '@/lib/engine/hold';
import { outcome } from '@/lib/engine/outcome';
import { always } from '@/lib/engine/predicate';
import type { Rule } from '@/lib/engine/rule';
import type { Situation } from '@/lib/engine/situation';
import type { DecisionKind } from '@/lib/mediate/catalogue';
import type { mediate } from '@/lib/mediate/mediate';

import { mutant, type Mutant } from './mutants-of-modules';

const demand = { approvers: ['approver'], all_groups: false, quorum: 1, timeout_s: 1800, separation: true };

/** Decides one kind as another. */
const swaps = (id: string, says: string, from: DecisionKind, to: DecisionKind): Mutant =>
  decides(id, says, (decision) => (decision.decision === from ? { ...decision, decision: to } : decision));

const decides = (id: string, says: string, change: (decision: Decision, snapshot: Snapshot) => Decision): Mutant =>
  mutant(id, says, 'engine/decide', 'decide', (original) => (action, snapshot, policy, now) => change(original(action, snapshot, policy, now), snapshot));

/** Evaluates another situation than the one there is. */
const sees = (id: string, says: string, change: (situation: Situation) => Situation): Mutant =>
  mutant(id, says, 'engine/evaluate', 'evaluate', (original) => (situation) => original(change(situation)));

/** Loads another policy than the one that is written. */
const loads = (id: string, says: string, change: (rules: readonly Rule[]) => readonly Rule[]): Mutant =>
  mutant(id, says, 'policy/compile-policy', 'compilePolicy', (original) => (parsed) => original({ ...parsed, rules: change(parsed.rules) }));

const without = (id: string, says: string, ...classes: readonly Classification[]): Mutant =>
  loads(id, says, (rules) => rules.filter(({ classification }) => !classes.includes(classification)));

const confident = (id: string, says: string, change: Partial<Situation['policy']['confidence']>): Mutant =>
  sees(id, says, (situation) => ({ ...situation, policy: { ...situation.policy, confidence: { ...situation.policy.confidence, ...change } } }));

/** Takes what it does not look into for something harmless. */
const hides = (id: string, says: string, isHidden: (...args: Parameters<typeof mediate>) => boolean): Mutant =>
  mutant(id, says, 'mediate/mediate', 'mediate', (original) => (proposed, catalogue) =>
    original(isHidden(proposed, catalogue) ? { tool: 'files', operation: 'list', parameters: {} } : proposed, catalogue),
  );

export const decisionMutants: readonly Mutant[] = [
  swaps('denied-is-allowed', 'DENY is taken for ALLOW.', 'DENY', 'ALLOW'),
  swaps('deferred-is-allowed', 'DEFER is taken for ALLOW.', 'DEFER', 'ALLOW'),
  swaps('held-is-allowed', 'STEP_UP is taken for ALLOW.', 'STEP_UP', 'ALLOW'),
  swaps('allowed-is-denied', 'ALLOW is taken for DENY.', 'ALLOW', 'DENY'),
  swaps('unknown-denies', 'What would be deferred is denied.', 'DEFER', 'DENY'),
  decides('denied-may-be-asked', 'A denial is put before people.', (decision) => (decision.decision === 'DENY' ? { ...decision, decision: 'STEP_UP', approval: demand } : decision)),
  decides('everything-is-asked', 'What is allowed is put before people.', (decision) =>
    decision.decision === 'ALLOW' ? { ...decision, decision: 'STEP_UP', approval: demand } : decision,
  ),
  decides('asks-the-wrong-people', 'Others are asked than the policy says.', (decision) => (decision.approval ? { ...decision, approval: { ...decision.approval, approvers: ['finance'] } } : decision)),
  decides('allowances-only-ask', 'A context-dependent allowance never allows.', (decision) =>
    decision.decision === 'ALLOW' && decision.classification === 'context_dependent_allow' ? { ...decision, decision: 'STEP_UP', approval: demand } : decision,
  ),
  decides('modify-said-without-change', 'A rule that modifies gives MODIFY although there was nothing to change.', (decision) =>
    decision.decision === 'ALLOW' && decision.determining.some((rule) => rule.action === 'MODIFY') ? { ...decision, decision: 'MODIFY' } : decision,
  ),
  decides('point-permit-allows', 'Another decision point’s permit allows.', (decision, { points }) => (points.some(({ answer }) => answer === 'permit') ? { ...decision, decision: 'ALLOW' } : decision)),
  mutant('no-policy-allows', 'Without a policy everything is allowed.', 'engine/decide', 'decide', (original) => (action, snapshot, policy, now) => {
    const decision = original(action, snapshot, policy, now);
    return policy === null ? { ...decision, decision: 'ALLOW' } : decision;
  }),

  sees('default-allows', 'What no rule names is allowed.', (situation) => ({ ...situation, policy: { ...situation.policy, defaults: { ...situation.policy.defaults, decision: 'ALLOW' } } })),
  sees('grants-ignored', 'Grants are not asked for.', (situation) => ({ ...situation, action: { ...situation.action, entry: { ...situation.action.entry, grant: false } } })),
  confident('confidence-is-high', 'Every alignment is high confidence.', { high: 0, low: 0 }),
  confident('evaluability-ignored', 'How much is known does not matter.', { defer_below: 0 }),
  without('forbidden-skipped', 'Forbidden rules are not looked at.', 'forbidden'),
  without('context-denials-skipped', 'Context-dependent denials are not looked at.', 'context_dependent_deny'),
  without('context-allows-skipped', 'Context-dependent allowances are not looked at.', 'context_dependent_allow'),
  without('joins-skipped', 'What context asks for beside the baseline is not looked at.', 'context_dependent_decision', 'context_dependent_defer'),
  loads('deferral-rules-skipped', 'Rules that defer are not looked at.', (rules) => rules.filter(({ action }) => action !== 'DEFER')),
  loads('forbidden-is-just-a-rule', 'Forbidden rules take part by priority like others.', (rules) =>
    rules.map((rule) => (rule.classification === 'forbidden' ? { ...rule, classification: 'static' } : rule)),
  ),
  loads('context-sets-the-baseline', 'A rule that may only tighten counts as a permission of its own.', (rules) =>
    rules.map((rule) => (rule.classification === 'context_dependent_decision' ? { ...rule, classification: 'static' } : rule)),
  ),
  loads('context-allows-always', 'Context-dependent allowances apply whatever the context.', (rules) =>
    rules.map((rule) => (rule.classification === 'context_dependent_allow' ? { ...rule, context: always } : rule)),
  ),
  mutant('unknown-always-defers', 'Any rule with unknown context defers, whether it matters or not.', 'engine/evaluate', 'evaluate', (original) => (situation) => {
    const settled = original(situation);
    const key = `${situation.action.tool}.${situation.action.operation}`;
    const unknown = situation.policy.rules.filter((rule) => rule.keys.has(key) && hold(rule.context, situation, true) === 'unknown');
    return unknown.length === 0 ? settled : { ...settled, outcome: outcome('DEFER', 'needs_context', 'Something is unknown.', unknown) };
  }),
  mutant('unknown-counts-as-true', 'A predicate that is not known counts as true.', 'engine/hold', 'hold', (original) => (predicate, situation, cautious) => {
    const truth = original(predicate, situation, cautious);
    return truth === 'unknown' ? 'true' : truth;
  }),
  mutant('unknown-counts-as-false', 'A predicate that is not known counts as false.', 'engine/hold', 'hold', (original) => (predicate, situation, cautious) => {
    const truth = original(predicate, situation, cautious);
    return truth === 'unknown' ? 'false' : truth;
  }),
  mutant('any-value-suffices', 'A rule that allows needs only one of several values to fit.', 'engine/hold', 'hold', (original) => (predicate, situation) => original(predicate, situation, false)),
  mutant('sequences-ignored', 'No sequence is ever seen.', 'engine/hold-sequence', 'holdSequence', () => () => 'false'),
  mutant('bounds-are-off', 'A bound itself counts as beyond it.', 'engine/run-test', 'runTest', (original) => (situation, field, test, values, cautious) =>
    original(situation, field, test.op === 'lte' ? { ...test, op: 'lt' } : test, values, cautious),
  ),
  mutant('domains-by-ending', 'A domain is any that ends in its letters.', 'engine/domains', 'isInDomains', () => (domain, domains) => domains.some((one) => domain.endsWith(one))),
  mutant('loosest-wins', 'Of several outcomes the loosest counts.', 'engine/outcome', 'strictness', (original) => (kind) => 4 - original(kind)),
  mutant('conflicts-take-the-looser', 'Of rules that disagree the looser counts.', 'engine/choose-baseline', 'chooseBaseline', (original) => (statics, entry, policy) => original(statics, entry, policy).slice(-1)),
  mutant('priorities-upside-down', 'The lowest priority sets the baseline.', 'engine/choose-baseline', 'chooseBaseline', (original) => (statics, entry, policy) =>
    original([...statics].reverse(), entry, policy),
  ),
  mutant('quorum-ignored', 'One person is always enough to ask for.', 'engine/demand', 'demandOf', (original) => (approval, policy, impact) => ({ ...original(approval, policy, impact), quorum: 1 })),
  mutant('demands-not-joined', 'Of several requests for people only the first is made.', 'engine/demand', 'joinDemands', () => (demands) => demands[0] ?? null),
  mutant('modify-not-made', 'Changes are not made.', 'engine/transform-action', 'transformAction', () => () => null),
  mutant('modified-not-decided-again', 'What a change made is allowed without another look.', 'engine/run-rounds', 'runRounds', (original) => (settle, proposed) =>
    original((situation) => (situation === proposed ? settle(situation) : { ...settle(situation), outcome: outcome('ALLOW', 'allowed', 'It was modified.') }), proposed),
  ),

  mutant('impact-is-low', 'Every impact counts as low.', 'mediate/facts', 'deriveFacts', (original) => (entry, parameters) => ({ ...original(entry, parameters), impact: 'low' })),
  mutant('opaque-is-plain', 'What cannot be read of an argument is taken for nothing.', 'mediate/facts', 'deriveFacts', (original) => (entry, parameters) => ({ ...original(entry, parameters), opaque: [] })),
  mutant('only-first-program-seen', 'Of a command only the first program is seen.', 'mediate/facts', 'deriveFacts', (original) => (entry, parameters) => {
    const facts = original(entry, parameters);
    return { ...facts, programs: facts.programs.slice(0, 1) };
  }),
  mutant('parameters-unchecked', 'Parameters are taken as they come.', 'mediate/check-parameters', 'checkParameters', () => () => []),
  mutant('names-are-guessed', 'A name that nearly is a tool’s is taken for it.', 'mediate/mediate', 'mediate', (original) => (proposed, catalogue) => {
    const found = original(proposed, catalogue);
    const letters = (text: string): string => [...text.toLowerCase()].sort().join('');
    const near = [...catalogue.entries.values()].find(({ tool, operation }) => tool === proposed.tool && letters(operation) === letters(proposed.operation));
    return found.ok || !near ? found : original({ ...proposed, operation: near.operation }, catalogue);
  }),
  hides('wrappers-hide', 'A tool called through another is the other.', ({ tool }) => tool === 'tool'),
  hides('aliases-hide', 'A tool under another of its names is another one.', ({ tool }, { aliases }) => aliases.has(tool)),
];
