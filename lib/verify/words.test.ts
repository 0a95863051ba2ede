import { expect, test } from 'vitest';

import { pairingWords } from './pairing-words';
import { whatToDistrust } from './what-to-distrust';

test('each check says something of its own about what to distrust when it fails', () => {
  const said = Object.values(whatToDistrust);
  expect(new Set(said).size).toBe(said.length);
  expect(said.filter((words) => !words.startsWith('Distrust'))).toEqual([]);
});

test('each verdict on an action has words of its own', () => {
  const titles = Object.values(pairingWords).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});
