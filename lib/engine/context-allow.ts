import type { DecisionKind } from '@/lib/mediate/catalogue';

import { baselineOutcome, reasonOf } from './baseline-outcome';
import { chooseBaseline, type BaselineChoice } from './choose-baseline';
import { settleConflict } from './conflict';
import { demandOf, joinDemands } from './demand';
import { stepsOf } from './join-changes';
import { confidenceOf, type Measure } from './measure-alignment';
import { outcome, stricter, strictness, type Outcome } from './outcome';
import type { Rule } from './rule';
import { settleChanges } from './settle-changes';
import type { Situation } from './situation';

/**
 * Step 5. What true context-dependent allow rules make of a baseline that denies; null when none of them reaches it. Their
 * most permissive action is the ceiling; alignment and impact lower it; what would stand without the DENYs that they lift is the
 * floor, so that adding a DENY never opens a way that was not there.
 */
export function contextAllow(
  choice: BaselineChoice,
  allows: readonly Rule[],
  statics: readonly Rule[],
  situation: Situation,
  measure: Measure,
): Outcome | null {
  const { policy, action, snapshot } = situation;
  const reaching = allows.filter((rule) => rule.priority >= choice.priority);
  const [first] = reaching;
  if (!first) return null;
  const ceiling = reaching.reduce((most, rule) => (strictness(rule.action) < strictness(most) ? rule.action : most), first.action);
  const confidence = confidenceOf(measure.alignment, policy.confidence);
  const chosen = reaching.filter((rule) => rule.action === ceiling);
  if (confidence === 'low') {
    return outcome('DENY', 'low_confidence', `${reasonOf(chosen)} But too little of the request supports this action.`, chosen, { restsOnAlignment: true });
  }
  const freely = confidence === 'high' && action.facts.impact === 'low' && snapshot.session.assurance !== null && snapshot.session.assurance !== 'same_host';
  const most = stricter(ceiling, freely ? 'ALLOW' : 'STEP_UP');
  return lift({ most, reaching, chosen }, withoutDenials(statics, choice.priority), situation);
}

/** True allow rules: the most permissive that they may make of the action, all that reach the denial, and those of them that count. */
type Lifting = { readonly most: DecisionKind; readonly reaching: readonly Rule[]; readonly chosen: readonly Rule[] };

/** What is left when a denial is lifted, over what stands beneath it. Denials beneath are lifted with it, unless others of their priority contradict them: that is a conflict as it would be without the denial above. */
function lift(lifting: Lifting, beneath: readonly Rule[], situation: Situation): Outcome {
  const { action, policy } = situation;
  for (let statics = beneath; ; ) {
    const choices = chooseBaseline(statics, action.entry, policy);
    const [strictest, ...others] = choices;
    if (!strictest) throw new Error('A baseline has at least one reading.');
    if (strictest.decision !== 'DENY') {
      // Rules that would disagree without the denial disagree under it, where nobody was asked about that.
      const alone = settleConflict(choices, choices.map((other) => settleChanges(baselineOutcome(other, situation), situation)));
      if (alone.kind === 'DENY' && alone.code === 'rule_conflict') return alone;
      return settleConflict(choices, choices.map((floor) => overFloor(lifting, floor, situation)));
    }
    if (strictest.rules.length === 0) return overFloor(lifting, null, situation);
    statics = withoutDenials(statics, strictest.priority);
    if (others.length > 0) {
      const lifted = lift(lifting, statics, situation);
      const together = settleConflict(choices, [lifted, ...others.map((other) => settleChanges(baselineOutcome(other, situation), situation))]);
      return together.code === 'rule_conflict' ? together : { ...lifted, obliging: together.obliging };
    }
  }
}

const withoutDenials = (statics: readonly Rule[], priority: number): readonly Rule[] => statics.filter((rule) => rule.action !== 'DENY' || rule.priority !== priority);

/** The rules' own outcome, not looser than what would stand without the denials. A DEFER there is not theirs to lift. */
function overFloor({ most, reaching, chosen }: Lifting, floor: BaselineChoice | null, situation: Situation): Outcome {
  if (floor?.decision === 'DEFER') return outcome('DEFER', 'needs_context', reasonOf(floor.rules), [...chosen, ...floor.rules]);
  const kind = stricter(most, floor?.decision ?? 'ALLOW');
  const floorModify = floor ? (floor.decision === 'MODIFY' ? floor.rules : floor.beneath) : [];
  const whole = outcome(kind, kind === 'ALLOW' ? 'allowed' : kind === 'MODIFY' ? 'modified' : 'needs_approval', reasonOf(chosen), chosen, {
    obliging: [...chosen, ...(floor?.rules ?? []), ...(floor?.beneath ?? [])],
    demand: kind === 'STEP_UP' ? demandFor(reaching, floor, situation) : null,
    modify: stepsOf([...chosen.filter((rule) => rule.action === 'MODIFY'), ...floorModify]),
  });
  return settleChanges(whole, situation);
}

function demandFor(allows: readonly Rule[], floor: BaselineChoice | null, { policy, action }: Situation): Outcome['demand'] {
  const rules = [...allows, ...(floor?.rules ?? [])].filter((rule) => rule.action === 'STEP_UP');
  return joinDemands(rules.map((rule) => demandOf(rule.approval, policy, action.facts.impact))) ?? demandOf(null, policy, action.facts.impact);
}

