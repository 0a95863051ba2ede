import type { GuardFinding, PointAnswer } from '@/lib/context/snapshot';
import { assertNever } from '@/lib/shared/assert-never';

import { demandOf } from './demand';
import { outcome, type Outcome } from './outcome';
import type { Situation } from './situation';

/** The name under which it is noted that what a decision rests on could not be gathered. */
export const evidenceGuard = 'evidence';

/** What a guard's finding asks for. A guard that failed or was late denies. */
export function guardOutcome(finding: GuardFinding, { policy, action }: Situation): Outcome {
  const said = `${finding.guard}: ${finding.detail}`;
  switch (finding.verdict) {
    case 'block':
      return outcome('DENY', 'guard_finding', said);
    case 'failed':
      return outcome('DENY', finding.guard === evidenceGuard ? 'internal' : 'guard_failed', said);
    case 'hold':
      return outcome('STEP_UP', 'needs_approval', said, [], { demand: demandOf(null, policy, action.facts.impact) });
    case 'redact':
      return outcome('MODIFY', 'modified', said, [], {
        contextual: true,
        modify: [{ by: `guard:${finding.guard}`, change: { form: 'redact', path: pathOf(finding.path), what: ['ALL'] } }],
      });
    default:
      return assertNever(finding.verdict);
  }
}

/** What a further decision point's answer adds; null for a permit, which never loosens. */
export function pointOutcome(answer: PointAnswer): Outcome | null {
  const said = `${answer.point}: ${answer.cause}`;
  switch (answer.answer) {
    case 'permit':
      return null;
    case 'deny':
      return outcome('DENY', 'point_denied', said);
    case 'fault':
      return outcome('DENY', 'point_failed', said);
    case 'indeterminate':
      return outcome('DEFER', 'needs_context', said, [], { undecided: [answer.point] });
    default:
      return assertNever(answer.answer);
  }
}

/** `parameters.to[0].name` or `to[0].name` → `['to', '0', 'name']`. */
export const pathOf = (text: string): readonly string[] =>
  text.replace(/^parameters\./, '').replaceAll('[', '.').replaceAll(']', '').split('.').filter((part) => part !== '');
