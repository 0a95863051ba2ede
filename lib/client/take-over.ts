import { applyPatch, createPatch } from 'diff';

const mostChanges = 2000;

/**
 * A text with the changes that another one made to the base of both. Null where both changed the same lines: a person has to decide.
 * Nor is a text taken over that differs in very many lines. The patch must fit exactly; a policy is no place for guesses.
 */
export function takeOver(base: string, theirs: string, own: string): string | null {
  if (base === theirs || own === theirs) return own;
  if (own === base) return theirs;
  const patch = createPatch('policy', base, theirs, undefined, undefined, { context: 3, maxEditLength: mostChanges });
  const merged = patch !== undefined && applyPatch(own, patch, { fuzzFactor: 0 });
  return merged === false ? null : merged;
}
