import type { CanonicalAction } from '@/lib/mediate/action';

import { levelRank } from './label-ledger';
import type { SignalInputs } from './signal-inputs';
import type { SessionState } from './session-state';
import type { Signal } from './snapshot';

/** Signals about how the session behaves: reach, labels, amounts, pace, order, and what it has read. */
export function conductSignals(state: SessionState, action: CanonicalAction, inputs: SignalInputs): readonly (Signal | undefined)[] {
  return [scope(state, action), labelEscalation(action, inputs), volume(state, action), velocity(state, inputs), sequence(state, action), injection(state)];
}

/** How far the action reaches beyond one thing: everything at once, or many recipients and paths. */
function scope(state: SessionState, action: CanonicalAction): Signal | undefined {
  const { entry, facts, parameters } = action;
  if (facts.effect === 'read') return undefined;
  const reach = facts.recipients.length + facts.paths.length + facts.tables.length;
  const unbounded =
    (facts.effect === 'destructive' || facts.effect === 'write') &&
    ((Object.hasOwn(entry.parameters, 'where') && !Object.hasOwn(parameters, 'where')) || parameters.recursive === true);
  const asked = ['all', 'every', 'everyone', 'everything', 'whole'].some((word) => state.requestWords.has(word));
  const score = unbounded ? (asked ? 600 : 200) : reach > 10 ? 400 : 1000;
  const evidence = unbounded ? 'It names no limit: everything there is.' : `Its arguments name ${String(Math.max(1, reach))} thing${reach > 1 ? 's' : ''}; how many items that is, they do not say.`;
  return { name: 'scope', score, weight: 100, evidence };
}

function labelEscalation(action: CanonicalAction, { labels }: SignalInputs): Signal | undefined {
  if (!action.facts.effects.some((effect) => effect === 'communicate' || effect === 'grant')) return undefined;
  const level = Math.max(-1, ...labels.map(levelRank));
  const tags = labels.filter((label) => levelRank(label) < 0);
  const byLevel = [1000, 1000, 900, 400, 200][level + 1] ?? 200;
  const score = tags.length > 0 ? Math.min(byLevel, 400) : byLevel;
  return { name: 'label_escalation', score, weight: 100, evidence: labels.length === 0 ? 'The session has seen no labelled data.' : `The session has seen ${labels.join(', ')}.` };
}

function volume(state: SessionState, action: CanonicalAction): Signal | undefined {
  const { amounts } = action.facts;
  if (amounts.length === 0) return undefined;
  const name = 'volume';
  const weight = 150;
  if (state.requests.length === 0) return { name, score: null, weight, evidence: 'There is no request to compare with.', missing: 'user_intent' };
  const largest = Math.max(...amounts);
  const asked = [...state.requestAmounts];
  if (amounts.every((amount) => state.requestAmounts.has(amount))) return { name, score: 1000, weight, evidence: 'The request names the amount.' };
  const bound = Math.max(0, ...asked);
  if (bound === 0) return { name, score: 500, weight, evidence: 'The request names no amount.' };
  const score = largest <= bound ? 700 : Math.max(0, Math.floor((500 * bound) / largest));
  return { name, score, weight, evidence: `${String(largest)} against at most ${String(bound)} in the request.` };
}

function velocity({ recent }: SessionState, { now, excludeAction }: SignalInputs): Signal {
  const first = firstSince(recent, minuteBefore(now));
  const lastMinute = excludeAction === undefined ? recent.length - first : recent.slice(first).filter(({ action }) => action !== excludeAction).length;
  // Ten a minute is brisk work; sixty is a loop.
  const score = lastMinute <= 10 ? 1000 : lastMinute >= 60 ? 0 : Math.floor((1000 * (60 - lastMinute)) / 50);
  return { name: 'velocity', score, weight: 50, evidence: `${String(lastMinute)} actions in the last minute.` };
}

/** Where the actions since then begin. The newest are last, and times of one form compare as texts. */
function firstSince(recent: SessionState['recent'], since: string): number {
  let [low, high] = [0, recent.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((recent[middle]?.at ?? '') < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Mostly only the two digits of the minute change. */
function minuteBefore(now: string): string {
  const minute = now.length === 24 ? Number(now.slice(14, 16)) : 0;
  if (!(minute >= 1 && minute <= 59)) return new Date(Date.parse(now) - 60_000).toISOString();
  return `${now.slice(0, 14)}${minute <= 10 ? '0' : ''}${String(minute - 1)}${now.slice(16)}`;
}

/** Something leaves right after something untrusted came in. */
function sequence(state: SessionState, action: CanonicalAction): Signal | undefined {
  const { effect } = action.facts;
  if (effect === 'read' || effect === 'write') return undefined;
  const tainted = state.untrustedOutputs > 0;
  return { name: 'sequence', score: tainted ? 500 : 1000, weight: 50, evidence: tainted ? 'Untrusted text was read before.' : 'No untrusted text was read before.' };
}

function injection(state: SessionState): Signal {
  const score = Math.max(0, 1000 - state.injection);
  return { name: 'injection', score, weight: 150, evidence: state.injection === 0 ? 'No output that was read looks like instructions.' : `An output that was read looks like instructions (${String(state.injection)} of 1000).` };
}
