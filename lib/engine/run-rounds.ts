import { Misfit } from './apply-change';
import type { Change } from './decision';
import { demandOf, joinDemands } from './demand';
import type { Verdict } from './explain';
import { outcome, strictness, type Outcome } from './outcome';
import type { Rule } from './rule';
import type { Settled } from './settled';
import type { Situation } from './situation';
import { transformAction } from './transform-action';

/** How often an action may be transformed before it has to be stable. */
export const maximumRounds = 3;

/**
 * Step 8. Transforms the action while MODIFY asks for it, each time through steps 1 to 7 again, so that only an action that the
 * policy would itself let through is ever permitted. A change that cannot be made, or that does not settle, denies.
 */
export function runRounds(settle: (situation: Situation) => Settled, proposed: Situation): Verdict {
  let situation = proposed;
  let settled = settle(situation);
  const changes: Change[] = [];
  const earlier: Rule[] = [];
  const obliging: Rule[] = [];
  // What people must see whatever becomes of the changes, because context asked for the change that would spare them.
  let held: Outcome | null = null;
  for (let round = 0; ; round++) {
    const { outcome: found } = settled;
    if (found.modify.length === 0) break;
    const next = transformAction(situation, found.modify);
    if (next instanceof Misfit) {
      settled = { ...settled, outcome: outcome('DENY', 'modify_unstable', `The action cannot be changed as the policy asks: ${next.detail}`, found.rules), missing: [] };
      break;
    }
    if (!next) break;
    if (round === maximumRounds) {
      settled = { ...settled, outcome: outcome('DENY', 'modify_unstable', 'The modified action did not settle.', found.rules), missing: [] };
      break;
    }
    if (found.kind !== 'MODIFY' && found.contextual) held = held ? { ...found, demand: joinDemands([held.demand, found.demand].filter((demand) => demand !== null)) } : found;
    changes.push(...next.changes);
    earlier.push(...found.rules);
    obliging.push(...found.obliging);
    situation = next.situation;
    settled = settle(situation);
  }
  const last = obliging.length === 0 ? settled.outcome : { ...settled.outcome, obliging: [...new Set([...settled.outcome.obliging, ...obliging])] };
  const final = finish(last, held, changes, earlier, situation);
  return {
    settled: final === settled.outcome ? settled : { ...settled, outcome: final },
    situation,
    transformed: changes.length > 0 ? { parameters: situation.action.parameters, changes } : null,
    earlier: changes.length > 0 ? earlier : [],
    snapshot: proposed.snapshot,
  };
}

/** a′ ALLOW makes MODIFY; a MODIFY that changed nothing counts as ALLOW; everything else stands as it is about a′. */
function finish(last: Outcome, held: Outcome | null, changes: readonly Change[], earlier: readonly Rule[], { action, policy }: Situation): Outcome {
  if (held) {
    const demand = joinDemands([held.demand, last.demand].filter((each) => each !== null));
    if (strictness(last.kind) <= strictness('STEP_UP')) return { ...last, kind: 'STEP_UP', code: 'needs_approval', reason: held.reason, demand };
    if (last.conflict.length > 0) return { ...last, demand };
  }
  if (last.kind !== 'ALLOW' && last.kind !== 'MODIFY') return last;
  if (action.facts.opaque.length > 0) {
    // A permission is inherited only by what can be read; for the rest a person has to look.
    const reason = `${action.facts.opaque.join(', ')} cannot be parsed, so no permission covers it by itself.`;
    return { ...last, kind: 'STEP_UP', code: 'needs_approval', reason, demand: demandOf(null, policy, action.facts.impact) };
  }
  if (changes.length === 0) return last.kind === 'ALLOW' && last.code === 'allowed' ? last : { ...last, kind: 'ALLOW', code: 'allowed' };
  const reason = [...new Set(earlier.filter((rule) => rule.action === 'MODIFY').map((rule) => rule.reason))].join(' ');
  return { ...last, kind: 'MODIFY', code: 'modified', reason: reason === '' ? last.reason : reason };
}
