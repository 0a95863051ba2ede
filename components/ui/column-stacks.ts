import type { DecisionKind } from '@/components/ui/decision-kind';

export type DecisionCounts = Readonly<Record<DecisionKind, number>>;

export interface StackPart {
  readonly decision: DecisionKind;
  readonly y: number;
  readonly height: number;
}

/** Exceptions stand on the baseline, where they can be compared; Allow is on top. */
export const stackOrder: readonly DecisionKind[] = ['DENY', 'DEFER', 'STEP_UP', 'MODIFY', 'ALLOW'];

/** The parts of one column, from the baseline up. `unit` is the height of one decision; parts stand one unit of drawing apart. */
export function columnStack(counts: DecisionCounts, baseline: number, unit: number): readonly StackPart[] {
  let top = baseline;
  return stackOrder.flatMap((decision) => {
    const height = counts[decision] * unit;
    if (height <= 0) return [];
    top -= height;
    return [{ decision, y: top, height: Math.max(0.5, height - 1) }];
  });
}

/** Marks of the value axis: nought and up to three round numbers that the largest column reaches. */
export function axisMarks(largest: number): readonly number[] {
  if (largest <= 0) return [0];
  const rough = largest / 3;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? 10 * power);
  const marks: number[] = [];
  for (let mark = 0; mark <= largest; mark += step) marks.push(mark);
  return marks;
}
