import type { CanonicalAction } from '@/lib/mediate/action';

import type { SessionState } from './session-state';
import { contentSignals } from './content-signals';
import { conductSignals } from './conduct-signals';
import { originSignals } from './origin-signals';
import type { SignalInputs } from './signal-inputs';
import type { Signal } from './snapshot';

/** Signals of this version are comparable; a changed formula is a new version. */
export const signalsVersion = 2;

/**
 * Evidence about whether an action fits what was asked: scores in thousandths, 1000 fits fully. A signal that has
 * nothing to say about an action is left out; one whose input is missing has no score and names the field.
 */
export function measureSignals(state: SessionState, action: CanonicalAction, inputs: SignalInputs): readonly Signal[] {
  const signals: Signal[] = [];
  for (const some of [contentSignals(state, action, inputs), originSignals(state, action, inputs), conductSignals(state, action, inputs)]) {
    for (const signal of some) if (signal) signals.push(inOrder(signal));
  }
  return signals;
}

/** Names in canonical order, as a snapshot has them. */
const inOrder = ({ evidence, missing, name, score, weight }: Signal): Signal =>
  missing === undefined ? { evidence, name, score, weight } : { evidence, missing, name, score, weight };
