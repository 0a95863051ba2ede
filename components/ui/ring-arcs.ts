export interface RingArc {
  /** SVG path data on a 16-unit square. */
  readonly d: string;
  readonly signed: boolean;
}

const centre = 8;
const radius = 6;
const widestGap = 19.2;

/**
 * One arc for each of `of` signatures, clockwise from the top, the first `signed` of them marked. Gaps shrink when there are many, so that
 * even a large quorum shows separate arcs; a single signature is a whole circle.
 */
export function ringArcs(signed: number, of: number): readonly RingArc[] {
  if (!Number.isInteger(of) || of < 1) throw new RangeError(`A ring needs at least one signature, got ${of}`);
  if (of === 1) return [{ d: 'M8 2A6 6 0 1 1 8 14A6 6 0 1 1 8 2', signed: signed >= 1 }];
  const share = 360 / of;
  const gap = Math.min(widestGap, share * 0.35);
  return Array.from({ length: of }, (_, index) => {
    const from = index * share + gap / 2;
    const to = (index + 1) * share - gap / 2;
    return { d: `M${point(from)}A6 6 0 ${to - from > 180 ? 1 : 0} 1 ${point(to)}`, signed: index < signed };
  });
}

function point(degrees: number): string {
  const turn = (degrees * Math.PI) / 180;
  return `${round(centre + radius * Math.sin(turn))} ${round(centre - radius * Math.cos(turn))}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
