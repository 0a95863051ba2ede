/** A stretch of a text that a detector names; UTF-16 offsets, end excluded. */
export type Span = { readonly start: number; readonly end: number; readonly kind: string };

/** Detectors read this far: hosts bound texts before, and time must be bounded whatever comes. */
export const longestRead = 200_000;

/** Of spans that overlap, the one that was put first stays: detectors list the surest kinds first. */
export function withoutOverlaps(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  for (const span of spans) if (!kept.some((other) => span.start < other.end && other.start < span.end)) kept.push(span);
  return kept.sort((a, b) => a.start - b.start);
}
