import { expect, it } from 'vitest';

import type { Decided } from './comparison';
import { differencesOf } from './differences';

const waitsFor = (field: string): Decided => ({ decision: 'DEFER', obligations: [], grant: false, deferral: { missing: [{ field, suppliers: [] }], timeout_s: 300, conflict: false } });

it('what another decision point waits for is not waited for less because the policy waits for something first', () => {
  expect(differencesOf(waitsFor('point:other'), waitsFor('target_ownership'), {})?.effects).toEqual(['tightens']);
  expect(differencesOf(waitsFor('attributes.criticality'), waitsFor('target_ownership'), {})?.effects).toEqual(['loosens', 'tightens']);
});
