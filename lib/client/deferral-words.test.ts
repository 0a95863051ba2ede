import { expect, test } from 'vitest';

import { testId } from '@/lib/testing/ledger-builder';

import { waitsForWords } from './deferral-words';

const fact = { field: 'target_ownership', subject: 'database:orders', attribute: 'owner', suppliers: [], attempts: [], answer_as: null, type: null };
const said = { field: 'user_intent', subject: null, attribute: null, suppliers: ['orchestrator'], attempts: [], answer_as: null, type: null };
const ahead = { action: testId('action', 1), title: 'database.delete', state: 'held' } as const;
const nothing = { approval: null, missing: [], waits_for: [], question: null };

test.each<[Parameters<typeof waitsForWords>[0], string]>([
  [{ ...nothing, missing: [fact, said], waits_for: [ahead] }, 'owner of database:orders, user_intent'],
  [{ ...nothing, waits_for: [ahead] }, 'behind database.delete'],
  [{ ...nothing, approval: testId('approval', 1) }, 'Rules disagree'],
  [{ ...nothing, missing: [fact], question: { text: 'Why now?', by_name: 'Abe', attribute: 'answer.1' } }, 'An answer to Abe: Why now?'],
  [nothing, 'About to be decided again'],
])('%j waits for: %s', (item, words) => {
  expect(waitsForWords(item)).toBe(words);
});
