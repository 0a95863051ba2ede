import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import { areAtHand, isStep, isWithin, reachesEverything } from './count-actions';
import type { Field } from './predicate';
import { one, unknown, type Reading } from './reading';
import type { Situation } from './situation';

/**
 * What the amounts of a kind of action come to, this one's included when it is of the kind: what would have been moved if it ran.
 * Numbers are added as they are, whatever their currency; what is below zero takes nothing away. At least that much where an
 * amount is not known or older actions are not at hand.
 */
export function sumAmounts(situation: Situation, { which, within_s }: Extract<Field, { of: 'count' }>): Reading {
  const { action, policy, snapshot } = situation;
  const { facts, entry } = action;
  const isOwn = isStep(which, { tool: action.tool, operation: action.operation, effect: entry.effect, effects: facts.effects, labels: snapshot.labels });
  const opaque = isOwn ? facts.opaque.find((name) => Object.hasOwn(entry.parameters, name) && entry.parameters[name]?.role === 'amount') : undefined;
  if (opaque !== undefined) return unknown(`parameters.${opaque}`, { opaque: true });
  let sum = isOwn ? facts.amounts.reduce((total, amount) => total + Math.max(0, amount), 0) : 0;
  let isWhole = true;
  for (const prior of snapshot.prior.recent) {
    if (!isWithin(situation, prior, within_s) || !isStep(which, prior)) continue;
    sum += Math.max(0, prior.amount ?? 0);
    if (prior.amount === undefined && mayMove(policy.catalogue.entries.get(`${prior.tool}.${prior.operation}`))) isWhole = false;
  }
  // Thirds of a cent that binary fractions leave over would otherwise exceed a limit that is just kept.
  const total = Math.round(sum * 1e6) / 1e6;
  const all = reachesEverything(situation, within_s) || areAtHand(situation, which);
  return isWhole && all ? one(total) : { state: 'at_least', value: total };
}

/** An operation that may have moved an amount that nobody wrote down; one that the catalogue has lost meanwhile may too. */
const mayMove = (entry: CatalogueEntry | undefined): boolean => entry === undefined || Object.values(entry.parameters).some(({ role, optional }) => role === 'amount' && optional !== true);
