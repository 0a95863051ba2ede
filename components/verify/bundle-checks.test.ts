import { expect, test } from 'vitest';

import { verdictState } from '@/components/ui/seal-verdict';
import type { Report } from '@/lib/verify/report';

import { bundleChecks } from './bundle-checks';

const checks: Report['checks'] = [
  { id: 'trust_root', title: 'Trust roots', state: 'pass', detail: 'One trust root.' },
  { id: 'chain', title: 'Chain', state: 'pass', detail: '3 receipts.' },
];
const drawn = (verdict: Report['verdict'], list = checks) => bundleChecks({ checks: list, verdict }).map((check) => ({ key: check.id, claim: check.title, state: check.drawn }));

test('a bundle that only vouches for itself gets no seal', () => {
  expect(verdictState(drawn('consistent_issuer_not_verified'))).toBe('open');
  expect(drawn('consistent_issuer_not_verified').map(({ state }) => state)).toEqual(['skipped', 'pass']);
});

test('a bundle that leads to the reader’s fingerprint gets it', () => {
  expect(verdictState(drawn('verified'))).toBe('pass');
});

test('what could not be found out keeps the seal away, and what fails breaks it', () => {
  expect(verdictState(drawn('verified', [{ id: 'rederivation', title: 'Engine', state: 'unknown', detail: 'Withheld.' }]))).toBe('open');
  expect(verdictState(drawn('failed', [{ id: 'chain', title: 'Chain', state: 'fail', detail: 'Broken.' }]))).toBe('fail');
});
