import type { Decision } from '@/lib/engine/decision';
import type { Predicate } from '@/lib/engine/predicate';
import type { Rule } from '@/lib/engine/rule';

import type { World } from './engine-worlds';

/** Tests of a predicate as `field operator`: `labels at_least`, `parameter:path within`, `sequence`. */
export function testsIn(predicate: Predicate): readonly string[] {
  switch (predicate.is) {
    case 'all':
    case 'any':
      return predicate.of.flatMap(testsIn);
    case 'not':
      return testsIn(predicate.of);
    case 'compare':
      return [`compare ${predicate.op}`];
    case 'sequence':
      return ['sequence'];
    case 'test': {
      const { field, test } = predicate;
      const name = field.of === 'identity' || field.of === 'operation' || field.of === 'count' ? `${field.of}:${field.name}` : field.of === 'attribute' ? `attribute of ${field.about}` : field.of;
      return [`${name} ${test.op}`];
    }
  }
}

/** Counts what generated cases were decided by, so that a test can say that everything was reached. */
export class Coverage {
  readonly decisions = new Map<string, number>();
  readonly codes = new Map<string, number>();
  /** `classification ACTION` of rules that determined a decision. */
  readonly kinds = new Map<string, number>();
  /** Tests of predicates of rules that determined a decision. */
  readonly tests = new Map<string, number>();
  /** Forms of MODIFY that changed an action. */
  readonly forms = new Map<string, number>();
  /** Step 5: how sure, how bad, what came of it. */
  readonly cells = new Map<string, number>();
  readonly steps = new Map<string, number>();

  note(world: World, decision: Decision): void {
    const byId = new Map(world.rules.map((rule) => [rule.id, rule]));
    const determining = decision.determining.flatMap(({ id }) => byId.get(id) ?? []);
    count(this.decisions, decision.decision);
    count(this.codes, decision.code);
    for (const rule of determining) {
      count(this.kinds, `${rule.classification} ${rule.action}`);
      for (const test of [...testsIn(rule.applies), ...testsIn(rule.context)]) count(this.tests, test);
    }
    for (const { rule: by, path } of decision.transformed?.changes ?? []) {
      const form = byId.get(by)?.modify.find((change) => change.path.join('.') === path)?.form;
      count(this.forms, form ?? by.replace(/:.*/, ''));
    }
    if (determining.some(({ classification }) => classification === 'context_dependent_allow')) {
      const sure = decision.alignment === null || decision.alignment < 400 ? 'low' : decision.alignment >= 750 ? 'high' : 'medium';
      count(this.cells, `${sure} confidence, ${decision.impact === 'low' ? 'low' : 'higher'} impact: ${decision.decision}`);
    }
    for (const step of stepsOf(world, decision, determining)) count(this.steps, step);
  }
}

function stepsOf({ snapshot }: World, decision: Decision, determining: readonly Rule[]): readonly string[] {
  const { code, deferral, evaluability } = decision;
  const of = (classification: Rule['classification']): boolean => determining.some((rule) => rule.classification === classification);
  const unsure = decision.decision === 'DEFER' && code === 'needs_context' && decision.unknown.some(({ id }) => determining.some((rule) => rule.id === id));
  return Object.entries({
    '0': ['kill_switch', 'session_closed', 'session_expired', 'identity_unverifiable', 'internal'].includes(code),
    '1 forbidden': code === 'forbidden_action' && of('forbidden'),
    '1 built in': code === 'forbidden_action' && !of('forbidden'),
    '1 opaque': code === 'opaque_argument' && of('forbidden'),
    '1 people instead': decision.decision === 'STEP_UP' && of('forbidden'),
    '2 grant': code === 'grant_needed',
    '3 rule': of('static') && !decision.transformed,
    '3 catalogue': decision.baseline.from === 'catalogue' && determining.length === 0,
    '3 defaults': decision.baseline.from === 'defaults' && determining.length === 0,
    '4 context denies': code === 'denied_by_context' && of('context_dependent_deny'),
    '5 context allows': of('context_dependent_allow'),
    '6 guard': code === 'guard_finding' || code === 'guard_failed' || (decision.decision === 'STEP_UP' && snapshot.guards.some(({ verdict }) => verdict === 'hold')),
    '6 point': snapshot.points.some(({ answer }) => answer !== 'permit') && determining.length === 0,
    '6 context tightens': of('context_dependent_decision'),
    '7a unknown': unsure,
    '7a over eight unknown': unsure && decision.unknown.length > 8,
    '7a common outcome': decision.decision !== 'DEFER' && decision.decision !== 'DENY' && decision.unknown.length > 0,
    '7b people settle a conflict': (deferral?.escalate) !== undefined,
    '7b a conflict is denied': code === 'rule_conflict' && decision.decision === 'DENY',
    '7c evaluability': decision.decision === 'DEFER' && evaluability !== null && evaluability < 500 && !unsure,
    '7d a rule waits': of('context_dependent_defer') && decision.decision === 'DEFER',
    '8 one change': decision.transformed?.changes.length === 1,
    '8 more changes': (decision.transformed?.changes.length ?? 0) > 1,
    '8 people see a′': decision.decision === 'STEP_UP' && decision.transformed !== undefined,
    '8 unstable': code === 'modify_unstable',
  }).filter(([, reached]) => reached).map(([step]) => step);
}

const count = (into: Map<string, number>, name: string): void => void into.set(name, (into.get(name) ?? 0) + 1);
