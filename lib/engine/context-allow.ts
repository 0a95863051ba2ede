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
  const confidence = confidenceOf(measure.alignment, policy.confidence);
  const freely = confidence === 'high' && action.facts.impact === 'low' && snapshot.session.assurance !== null && snapshot.session.assurance !== 'same_host';
  const reach = reachOf(allows, choice.priority, freely);
  if (!reach) return null;
  const { most, reaching, chosen } = reach;
  if (confidence === 'low') {
    return outcome('DENY', 'low_confidence', `${reasonOf(chosen)} But too little of the request supports this action.`, chosen, { restsOnAlignment: true });
  }
  const lifting = { allows, freely, most, chosen, changing: changing(chosen), asking: asking(reaching) };
  return lift(lifting, withoutDenials(statics, choice.priority), situation);
}

/** True allow rules that reach a denial of this priority, those of the most permissive action among them, and what that comes to. */
type Reach = { readonly most: DecisionKind; readonly reaching: readonly Rule[]; readonly chosen: readonly Rule[] };

function reachOf(allows: readonly Rule[], priority: number, freely: boolean): Reach | null {
  const reaching = allows.filter((rule) => rule.priority >= priority);
  const [first] = reaching;
  if (!first) return null;
  const ceiling = reaching.reduce((most, rule) => (strictness(rule.action) < strictness(most) ? rule.action : most), first.action);
  return { most: stricter(ceiling, freely ? 'ALLOW' : 'STEP_UP'), reaching, chosen: reaching.filter((rule) => rule.action === ceiling) };
}

const changing = (rules: readonly Rule[]): readonly Rule[] => rules.filter((rule) => rule.action === 'MODIFY');
const asking = (rules: readonly Rule[]): readonly Rule[] => rules.filter((rule) => rule.action === 'STEP_UP');

/** What the rules make of the action: how permissive at most, by which of them, with whose changes, and who asks people. */
type Lifting = {
  readonly allows: readonly Rule[];
  readonly freely: boolean;
  readonly most: DecisionKind;
  readonly chosen: readonly Rule[];
  readonly changing: readonly Rule[];
  readonly asking: readonly Rule[];
};

/** A denial beneath falls too. Rules that only reach that one would have changed the action, or asked people, without the denial above: they still do. */
function deeper(lifting: Lifting, priority: number): Lifting {
  const reach = reachOf(lifting.allows, priority, lifting.freely);
  if (!reach) return lifting;
  const asked = reach.most === 'STEP_UP' ? asking(reach.reaching) : [];
  return { ...lifting, changing: distinct([...lifting.changing, ...changing(reach.chosen)]), asking: distinct([...lifting.asking, ...asked]) };
}

const distinct = (rules: readonly Rule[]): readonly Rule[] => [...new Set(rules)];

/** What is left when a denial is lifted, over what stands beneath it. Denials beneath are lifted with it, unless others of their priority contradict them: that is a conflict as it would be without the denial above. */
function lift(above: Lifting, beneath: readonly Rule[], situation: Situation): Outcome {
  const { action, policy } = situation;
  let lifting = above;
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
    lifting = deeper(lifting, strictest.priority);
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
function overFloor({ most, chosen, changing: changed, asking: asked }: Lifting, floor: BaselineChoice | null, situation: Situation): Outcome {
  if (floor?.decision === 'DEFER') return outcome('DEFER', 'needs_context', reasonOf(floor.rules), [...chosen, ...floor.rules]);
  const kind = stricter(most, floor?.decision ?? 'ALLOW');
  const floorModify = floor ? (floor.decision === 'MODIFY' ? floor.rules : floor.beneath) : [];
  const whole = outcome(kind, kind === 'ALLOW' ? 'allowed' : kind === 'MODIFY' ? 'modified' : 'needs_approval', reasonOf(chosen), distinct([...chosen, ...changed]), {
    obliging: distinct([...chosen, ...changed, ...(floor?.rules ?? []), ...(floor?.beneath ?? [])]),
    demand: kind === 'STEP_UP' ? demandFor(asked, floor, situation) : null,
    modify: stepsOf([...changed, ...floorModify]),
  });
  return settleChanges(whole, situation);
}

function demandFor(asked: readonly Rule[], floor: BaselineChoice | null, { policy, action }: Situation): Outcome['demand'] {
  const rules = [...asked, ...asking(floor?.rules ?? [])];
  return joinDemands(rules.map((rule) => demandOf(rule.approval, policy, action.facts.impact))) ?? demandOf(null, policy, action.facts.impact);
}

