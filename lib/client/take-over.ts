import { applyPatch, createPatch } from 'diff';

/**
 * A text with the changes that another one made to the base of both. Null where both changed the same lines: a person has to decide.
 * The patch must fit exactly; a policy is no place for guesses.
 */
export function takeOver(base: string, theirs: string, own: string): string | null {
  if (base === theirs || own === theirs) return own;
  if (own === base) return theirs;
  const merged = applyPatch(own, createPatch('policy', base, theirs, undefined, undefined, { context: 3 }), { fuzzFactor: 0 });
  return merged === false ? null : merged;
}
