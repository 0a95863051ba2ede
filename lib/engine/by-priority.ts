import type { Rule } from './rule';

/** Highest first; equal ones by id, so that the order in a policy's text never matters. */
export const byPriority = (a: Rule, b: Rule): number => b.priority - a.priority || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
