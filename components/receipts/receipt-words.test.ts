import fs from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { kindsOffered } from './receipt-words';

const services = path.resolve(import.meta.dirname, '../../lib/services');

test('the filter offers every kind of receipt that is written, and none that never is', () => {
  const files = fs.readdirSync(services, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts') && !/\.i?test\.ts$/.test(name));
  const written = files.flatMap((name) => [...fs.readFileSync(path.join(services, name), 'utf8').matchAll(/\bsign(?:Receipt)?\(\s*'([a-z_]+)'/g)].map(([, kind]) => kind));
  expect([...new Set(kindsOffered)].sort()).toEqual([...new Set(written)].sort());
});
