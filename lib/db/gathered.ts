/**
 * Joins reads that are asked for in one turn of the event loop into one statement: many sessions decide at once, and a
 * round trip each would cost more than deciding does. `keyOf` says whose a found row is.
 */
export function gathered<Row>(read: (keys: readonly string[]) => Promise<readonly Row[]>, keyOf: (row: Row) => string): (keys: readonly string[]) => Promise<readonly Row[]> {
  let turn: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, Row>> } | null = null;

  const begin = (): NonNullable<typeof turn> => {
    const keys = new Set<string>();
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      // From here on the keys are on their way: whoever asks now is of the next turn.
      turn = null;
      return new Map((await read([...keys])).map((row) => [keyOf(row), row]));
    });
    return { keys, found };
  };

  return async (keys) => {
    if (keys.length === 0) return [];
    turn ??= begin();
    for (const key of keys) turn.keys.add(key);
    const found = await turn.found;
    return [...new Set(keys)].map((key) => found.get(key)).filter((row) => row !== undefined);
  };
}
