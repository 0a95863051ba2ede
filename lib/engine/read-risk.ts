import { absent, one, unknown, type Reading } from './reading';
import type { Situation } from './situation';

/**
 * What a signal says against the action, in thousandths: 1000 − its score, the highest where several carry the name. A signal that
 * had nothing to say about the action is absent; one whose input is missing is unknown, and names that input.
 */
export function readRisk({ action, snapshot }: Situation, name: string): Reading {
  const found = snapshot.signals.filter((signal) => signal.name === name);
  if (found.length === 0) return absent;
  const open = found.find((signal) => signal.score === null);
  if (open === undefined) return one(Math.max(...found.map((signal) => 1000 - (signal.score ?? 0))));
  switch (open.missing) {
    case undefined:
      return unknown(`risk_signals.${name}`, { opaque: true });
    case 'target_ownership':
      return unknown('target_ownership', { subject: action.facts.target ?? null, attribute: 'owner' });
    default:
      return unknown(open.missing);
  }
}
