/** Changes when the same inputs may give another decision; every decision names the one that made it. */
export const engineVersion = 'countersign-engine/6';
