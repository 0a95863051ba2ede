'use client';

import { defaultRangeExtractor, measureElement, useVirtualizer, useWindowVirtualizer, type Range } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';

import { rowParts, type RowPart } from './row-parts';
import { useNarrow } from './use-narrow';

interface VirtualRows {
  readonly count: number;
  readonly keyOf: (index: number) => string | number;
  /**
   * What scrolls on wide screens; on narrow ones the page does. The element itself, not a ref: an ancestor's ref is filled
   * after the effects of what is inside it, and nothing would then say that there is something to listen to.
   */
  readonly pane: HTMLElement | null;
  /** Where the rows are. */
  readonly body: RefObject<HTMLElement | null>;
  /** A row that stays drawn wherever one scrolls, such as the selected one; -1 for none. */
  readonly keep: number;
}

/** Heights of a row before it is measured, as the style sheet has them. */
const rowPx = { wide: 34, narrow: 56 } as const;
/** What the server draws for: a tall window, so that the first screen is there before any script. */
const firstScreen = { width: 0, height: 1_200 };

/** Which rows of a long list to draw, and the gaps between them. Works in a pane and in a page that scrolls as a whole. */
export function useVirtualRows({ count, keyOf, pane, body, keep }: VirtualRows): {
  readonly parts: readonly RowPart[];
  /** Index of the last row drawn for the screen. */
  readonly last: number;
  /** Scrolls as little as shows the row. */
  readonly reveal: (index: number) => void;
  readonly measure: (element: HTMLElement | null) => void;
} {
  const narrow = useNarrow();
  const [top, setTop] = useState(0);
  const common = {
    count,
    estimateSize: () => (narrow ? rowPx.narrow : rowPx.wide),
    getItemKey: keyOf,
    initialRect: firstScreen,
    overscan: 12,
    scrollPaddingStart: narrow ? 64 : 34,
    rangeExtractor: (range: Range) => withKept(defaultRangeExtractor(range), keep < count ? keep : -1),
  };
  // eslint-disable-next-line react-hooks/incompatible-library -- Nothing here is compiled by the React compiler, and what the virtualizer returns is used in this render alone.
  const inPane = useVirtualizer<HTMLElement, HTMLElement>({ ...common, enabled: !narrow, getScrollElement: () => pane, measureElement: seenHeight });
  const inPage = useWindowVirtualizer<HTMLElement>({ ...common, enabled: narrow, scrollMargin: top, measureElement: seenHeight });
  const rows = narrow ? inPage : inPane;

  // Outside system: where the list begins in the page moves with what stands above it.
  useLayoutEffect(() => {
    if (!narrow || body.current === null || body.current.offsetParent === null) return;
    setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
  }, [narrow, body, count]);

  const drawn = rows.getVirtualItems();
  const from = narrow ? top : 0;
  return {
    parts: rowParts(drawn, from, from + rows.getTotalSize()),
    last: rows.range?.endIndex ?? -1,
    reveal: useCallback((index: number) => rows.scrollToIndex(index, { align: 'auto' }), [rows]),
    measure: rows.measureElement,
  };
}

/** A list that is hidden, as behind a record on a phone, has no heights; what was measured before stays true. */
function seenHeight(...[element, entry, rows]: Parameters<typeof measureElement<HTMLElement>>): number {
  const height = measureElement(element, entry, rows);
  if (height > 0) return height;
  const index = rows.indexFromElement(element);
  return rows.itemSizeCache.get(rows.options.getItemKey(index)) ?? rows.options.estimateSize(index);
}

function withKept(indexes: readonly number[], keep: number): number[] {
  if (keep < 0 || indexes.includes(keep)) return [...indexes];
  return [...indexes, keep].sort((a, b) => a - b);
}
