import type { CanonicalAction } from '@/lib/mediate/action';

import { nearnessByVectors, runningMean, type EmbeddingEvidence, type EmbeddingFailure } from './embedding';
import { nearnessOf } from './nearness';
import type { SessionState } from './session-state';
import type { Signal } from './snapshot';

const name = 'semantic_distance';
const weight = 50;

/**
 * How far the session's actions have come from what was asked, this one included. Where an embeddings endpoint is configured, its
 * vectors alone say so; when it failed that is unknown, and the distance by words does not stand in: the two are no one scale.
 *
 * By vectors (formula 1): c is the cosine of the action's vector and that of the request nearest to it, m = ⌊(3·before + c) ÷ 4⌋ the
 * running mean over the actions that were permitted in this session and measured by this model and version (a child goes on from its
 * parent's; c itself where there are none), and the score 1000·(m − far) ÷ (near − far), rounded down and held between 0 and 1000. All
 * in thousandths, nothing below 0. What was not measured leaves the mean alone. How well this tells attacks apart is the model's doing.
 */
export const semanticDistance = (state: SessionState, action: CanonicalAction, embedding: EmbeddingEvidence | undefined): Signal | undefined =>
  embedding === undefined ? distanceByWords(state, action) : distanceByVectors(embedding);

function distanceByWords(state: SessionState, action: CanonicalAction): Signal | undefined {
  const texts = Object.values(action.parameters).filter((value) => typeof value === 'string');
  const now = nearnessOf(state.requestWords, [`${action.tool} ${action.operation}`, ...texts]);
  if (now === null) return undefined;
  const running = runningMean(state.nearness, now);
  return { name, score: Math.min(1000, 2 * running), weight, evidence: `${String(Math.floor(running / 10))} % of what the session’s actions speak of is in the request; half counts as near.` };
}

/** Follows from the evidence alone, so that a verifier computes it again from a stored snapshot. */
export function distanceByVectors(embedding: EmbeddingEvidence): Signal {
  const now = nearnessByVectors(embedding);
  if (now === null) return { name, score: null, weight, evidence: `${embedding.model} ${'failure' in embedding ? inWords[embedding.failure] : inWords.malformed}.` };
  const { far, near } = embedding.scale;
  const running = runningMean(embedding.before, now);
  const score = Math.max(0, Math.min(1000, Math.floor((1000 * (running - far)) / (near - far))));
  return { name, score, weight, evidence: `By ${embedding.model} the session’s actions are at ${String(running)} of 1000 from the request, this one at ${String(now)}; ${String(near)} counts as near, ${String(far)} as far.` };
}

const inWords: Readonly<Record<EmbeddingFailure, string>> = {
  late: 'did not answer in time', unreachable: 'could not be reached', refused: 'answered with an error', malformed: 'gave an answer that cannot be read',
  too_large: 'gave too long an answer', busy: 'had too many questions open',
};
