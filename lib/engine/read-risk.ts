import { readAttribute } from './read-attribute';
import { absent, one, unknown, type Reading } from './reading';
import type { Situation } from './situation';

/**
 * What a signal says against the action, in thousandths: 1000 − its score, the highest where several carry the name. A signal that
 * had nothing to say about the action is absent; one whose input is missing is unknown, and names that input.
 */
export function readRisk(situation: Situation, name: string): Reading {
  const { snapshot } = situation;
  const found = snapshot.signals.filter((signal) => signal.name === name);
  if (found.length === 0) return absent;
  const open = found.find((signal) => signal.score === null);
  if (open === undefined) return one(Math.max(...found.map((signal) => 1000 - (signal.score ?? 0))));
  const input = open.missing === undefined ? null : inputOf(situation, open.missing);
  return input?.state === 'unknown' ? input : unknown(`risk_signals.${name}`, { opaque: true });
}

/** What a signal lacks. What was said since and did not help is not asked for again. */
function inputOf(situation: Situation, missing: string): Reading {
  if (missing === 'target_ownership') return readAttribute(situation, 'owner', missing);
  if (missing.startsWith('attributes.')) return readAttribute(situation, missing.slice('attributes.'.length), missing);
  return unknown(missing);
}
