import { missingNeeds } from './judge-rule';
import type { Measure } from './measure-alignment';
import { outcome, type Outcome } from './outcome';
import { readAttribute } from './read-attribute';
import type { Missing } from './reading';
import type { Situation } from './situation';
import { suppliersOf } from './suppliers-of';
import type { Tried } from './try-unknown';

/**
 * Steps 7b to 7d, after the unknown rules were tried. A conflict already is an escalated DEFER (b). Too little is known of what
 * alignment is measured from, and somebody could supply it (c), unless a DENY stands that more evidence would not lift. A DEFER
 * rule that is true names its fields (d).
 */
export function deferForEvidence(tried: Tried, situation: Situation, measure: Measure): Tried {
  const { outcome: found } = tried;
  const stands = found.kind === 'DENY' && !found.restsOnAlignment;
  if (stands || found.conflict.length > 0) return tried;
  if (measure.evaluability !== null && measure.evaluability < situation.policy.confidence.defer_below) {
    const missing = suppliable(situation);
    if (missing.length > 0) return { outcome: merge(found, 'Too little is known to tell whether this fits the request.'), missing: [...tried.missing, ...missing] };
  }
  if (found.kind !== 'DEFER') return tried;
  return { outcome: found, missing: [...tried.missing, ...found.rules.flatMap((rule) => missingNeeds(rule, situation)), ...found.undecided.map(pointField)] };
}

const merge = (found: Outcome, reason: string): Outcome =>
  found.kind === 'DEFER' ? { ...found, reason: `${found.reason} ${reason}` } : outcome('DEFER', 'needs_context', reason, found.rules);

/** Inputs of signals that are unknown and that the policy lets somebody supply. What was supplied is never asked for again. */
function suppliable(situation: Situation): readonly Missing[] {
  const missing: Missing[] = [];
  for (const signal of situation.snapshot.signals) {
    if (signal.score !== null || signal.missing === undefined || suppliersOf(signal.missing, null, situation.policy).length === 0) continue;
    if (signal.missing === 'user_intent' || signal.missing === 'request' || signal.missing === 'requests') {
      if (situation.snapshot.intent === null) missing.push({ field: 'user_intent', subject: null, attribute: null, opaque: false });
      continue;
    }
    const attribute = signal.missing === 'target_ownership' ? 'owner' : signal.missing.replace(/^attributes\./, '');
    const reading = readAttribute(situation, attribute, attribute === 'owner' ? 'target_ownership' : `attributes.${attribute}`);
    if (reading.state === 'unknown' && !reading.missing.opaque) missing.push(reading.missing);
  }
  return missing;
}

const pointField = (point: string): Missing => ({ field: `point:${point}`, subject: null, attribute: null, opaque: false });
