import { expect, test } from 'vitest';

import { supplierWords } from './supplier-words';

test.each([
  ['ip:records', 'records', 'information point'],
  ['pep:gate', 'gate', 'enforcement point'],
  ['group:finance', 'finance', 'a person of this group'],
  ['orchestrator:desk', 'desk', 'orchestrator'],
  ['orchestrator', 'the orchestrator', 'with the user’s next words'],
  ['what', 'what', 'named by the policy'],
])('%s is %s, %s', (source, who, how) => {
  expect(supplierWords(source)).toEqual({ who, how });
});
