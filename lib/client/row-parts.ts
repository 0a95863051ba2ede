/** A stretch of rows that is not drawn, or one row that is. */
export type RowPart = { readonly kind: 'gap'; readonly key: string; readonly height: number } | { readonly kind: 'row'; readonly index: number };

/** Drawn rows in order with the heights between, above and below them, so that the list is as long as if all were there. */
export function rowParts(drawn: readonly { readonly index: number; readonly start: number; readonly end: number }[], from: number, to: number): readonly RowPart[] {
  const parts: RowPart[] = [];
  let at = from;
  const gap = (until: number, key: string) => {
    if (until > at) parts.push({ kind: 'gap', key, height: until - at });
  };
  for (const { index, start, end } of drawn) {
    gap(start, `before-${index}`);
    parts.push({ kind: 'row', index });
    at = end;
  }
  gap(to, 'below');
  return parts;
}
