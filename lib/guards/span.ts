/** A stretch of a text that a detector names; UTF-16 offsets, end excluded. */
export type Span = { readonly start: number; readonly end: number; readonly kind: string };

/** Detectors read this far: hosts bound texts before, and time must be bounded whatever comes. */
export const longestRead = 1_048_576;

/** Of spans that overlap, the one that was put first stays: detectors list the surest kinds first. */
export function withoutOverlaps(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const taken = new Uint8Array(spans.reduce((end, span) => Math.max(end, span.end), 0));
  const kept: Span[] = [];
  for (const span of spans) {
    if (taken.subarray(span.start, span.end).includes(1)) continue;
    taken.fill(1, span.start, span.end);
    kept.push(span);
  }
  return kept.sort((a, b) => a.start - b.start);
}
