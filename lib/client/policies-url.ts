import { createLoader, parseAsInteger, parseAsStringLiteral } from 'nuqs/server';

/** The revision that is looked at (none: the one in force), and whether a new text is being written. */
export const policiesUrl = { revision: parseAsInteger, view: parseAsStringLiteral(['write'] as const) };

export const loadPoliciesUrl = createLoader(policiesUrl);
