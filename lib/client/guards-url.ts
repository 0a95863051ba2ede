import { createLoader, parseAsString } from 'nuqs/server';

/** The proposal or the directory that is looked at; none: the first that waits. */
export const guardsUrl = { proposal: parseAsString, directory: parseAsString };

export const loadGuardsUrl = createLoader(guardsUrl);
