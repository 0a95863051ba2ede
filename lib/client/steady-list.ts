/** A row as it is drawn: `gone` when the newest reading lacks it. It stays where it is until the person asks for the new order. */
export type SteadyRow<Item> = { readonly item: Item; readonly gone: boolean };

export type SteadyList<Item> = { readonly rows: readonly SteadyRow<Item>[]; readonly arrived: number };

/**
 * The list that was on screen with the values of now: order and length stay, so that nothing moves under a pointer.
 * `arrived` counts what waits behind the "new" button.
 */
export function steadyList<Item extends { readonly id: string }>(shown: readonly Item[], newest: readonly Item[]): SteadyList<Item> {
  const now = new Map(newest.map((item) => [item.id, item]));
  const known = new Set(shown.map(({ id }) => id));
  return {
    rows: shown.map((item) => {
      const found = now.get(item.id);
      return found ? { item: found, gone: false } : { item, gone: true };
    }),
    arrived: newest.filter(({ id }) => !known.has(id)).length,
  };
}
