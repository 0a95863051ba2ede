import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server';

/** Which list is looked at (none: proposals), and which revision (none: the one in force) or proposal (none: the newest that waits) of it. */
export const policiesUrl = { tab: parseAsStringLiteral(['revisions'] as const), revision: parseAsInteger, proposal: parseAsString };

export const loadPoliciesUrl = createLoader(policiesUrl);
