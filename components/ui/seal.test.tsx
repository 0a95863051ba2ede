// @vitest-environment happy-dom
import fs from 'node:fs';
import path from 'node:path';

import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Seal } from './seal';

test('the seal drawn in place is the one of public/seal.svg', () => {
  const file = fs.readFileSync(path.resolve(import.meta.dirname, '../../public/seal.svg'), 'utf8');
  const { container } = render(<Seal />);
  const drawn = [...container.querySelectorAll('path')].map((part) => part.getAttribute('d') ?? '').filter((d) => d.length > 60);
  expect(drawn).toHaveLength(3);
  expect(drawn.filter((d) => !file.includes(`d="${d}"`))).toEqual([]);
  expect(container.querySelector('use')).toBeNull();
});
