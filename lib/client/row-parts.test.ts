import { expect, test } from 'vitest';

import { rowParts } from './row-parts';

const row = (index: number) => ({ index, start: index * 34, end: (index + 1) * 34 });

test('a list that is drawn whole has no gaps', () => {
  expect(rowParts([row(0), row(1)], 0, 68)).toEqual([{ kind: 'row', index: 0 }, { kind: 'row', index: 1 }]);
});

test('gaps and rows together are as high as all rows', () => {
  const parts = rowParts([row(3), row(4), row(90)], 0, 3400);
  const height = parts.reduce((sum, part) => sum + (part.kind === 'gap' ? part.height : 34), 0);
  expect(height).toBe(3400);
  expect(parts.map(({ kind }) => kind)).toEqual(['gap', 'row', 'row', 'gap', 'row', 'gap']);
});

test('what stands above the list in the page is no gap of it', () => {
  expect(rowParts([{ index: 0, start: 200, end: 234 }], 200, 234)).toEqual([{ kind: 'row', index: 0 }]);
});
