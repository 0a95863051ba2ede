'use client';

import { useState } from 'react';

import { steadyList, type SteadyRow } from './steady-list';

/** `dropped`: decided here. An older reading may still have them; they neither come back nor count as new. */
type Shown<Item> = { readonly of: string; readonly items: readonly Item[]; readonly dropped: ReadonlySet<string> };

/**
 * Holds a live list still. `of` names what is listed (tab and filters): another name starts anew. Null rows: not read yet.
 * An empty list takes what arrives at once, for there is nothing to shift.
 */
export function useSteadyList<Item extends { readonly id: string }>(read: readonly Item[] | undefined, of: string) {
  const [shown, setShown] = useState<Shown<Item> | null>(null);
  const current = shown?.of === of ? shown : null;
  const dropped = current?.dropped ?? none;
  const newest = read?.filter(({ id }) => !dropped.has(id));
  const restart = newest !== undefined && (current === null || (current.items.length === 0 && newest.length > 0));
  if (restart) setShown({ of, items: newest, dropped });

  const items = restart ? newest : current?.items;
  const list: { readonly rows: readonly SteadyRow<Item>[] | null; readonly arrived: number } =
    items === undefined ? { rows: null, arrived: 0 } : steadyList(items, newest ?? items);
  return {
    ...list,
    /** Shows the list as it is now. */
    accept: () => setShown(newest === undefined ? null : { of, items: newest, dropped }),
    /** Takes out what this person has just decided. */
    drop: (id: string) =>
      setShown((before) => (before === null ? null : { of: before.of, items: before.items.filter((item) => item.id !== id), dropped: new Set([...before.dropped, id]) })),
  };
}

const none: ReadonlySet<string> = new Set();
