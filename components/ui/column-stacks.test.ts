import { describe, expect, it } from 'vitest';
import { axisMarks, columnStack } from '@/components/ui/column-stacks';

const none = { ALLOW: 0, DENY: 0, MODIFY: 0, STEP_UP: 0, DEFER: 0 };

describe('a column', () => {
  it('has denials on the baseline and allowed actions on top', () => {
    expect(columnStack({ ...none, ALLOW: 3, DENY: 1, STEP_UP: 2 }, 100, 10).map((part) => part.decision)).toEqual(['DENY', 'STEP_UP', 'ALLOW']);
  });

  it('is as high as all its decisions together', () => {
    const parts = columnStack({ ...none, ALLOW: 3, DENY: 1, STEP_UP: 2 }, 100, 10);
    expect(parts.at(-1)?.y).toBe(40);
    expect(parts[0]).toEqual({ decision: 'DENY', y: 90, height: 9 });
  });

  it('is empty when nothing was decided', () => {
    expect(columnStack(none, 100, 10)).toEqual([]);
  });
});

describe('the axis', () => {
  it.each([[0, [0]], [1, [0, 1]], [3, [0, 1, 2, 3]], [12, [0, 5, 10]], [62, [0, 50]], [100, [0, 50, 100]], [7_300, [0, 5_000]]])('up to %d has round marks', (largest, marks) => {
    expect(axisMarks(largest)).toEqual(marks);
  });
});
