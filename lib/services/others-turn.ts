/** Entries of a chain that are hashed or taken in at a stretch: about ten milliseconds of them. */
export const entriesAtOnce = 200;

/** Lets whatever waits run before a long piece of work goes on. */
export const othersTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
