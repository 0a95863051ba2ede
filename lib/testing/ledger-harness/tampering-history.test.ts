import { beforeAll, describe, expect, it } from 'vitest';

import { bundleBytes } from '@/lib/ledger/bundle';

import { testWorkspace } from '../ledger-builder';
import { tamperedAuthority } from './tamper-authority';
import { tamperedDecisions } from './tamper-decisions';
import { builtFrom } from './sign-told';
import { bundleOf, expectFound, verifyTold } from './tampering-surfaces';
import type { ToldLedger } from './teller';
import { tellLedger } from './tell-ledger';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('tampering', testWorkspace);
});

describe('a history that was signed anew with a service’s key', () => {
  it.each([...tamperedDecisions, ...tamperedAuthority])('$name', async (tampering) => {
    if (!('history' in tampering)) throw new Error('Not a history.');
    const tampered = await tampering.history(told);
    expectFound(await verifyTold(bundleBytes(await bundleOf(tampered)), told), tampering.verify, tampered);
  });

  it('shows against a checkpoint that was exported before', async () => {
    const size = told.events.length;
    const known = [{ size, root: (await builtFrom(told)).root(size) }];
    for (const { name, ...tampering } of [...tamperedDecisions, ...tamperedAuthority].filter((one) => 'pins' in one && 'denied' in one.pins)) {
      if (!('history' in tampering)) throw new Error('Not a history.');
      const report = await verifyTold(bundleBytes(await bundleOf(await tampering.history(told))), told, known);
      expect(report.checks.find(({ id }) => id === 'consistency')?.state, name).not.toBe('pass');
    }
  }, 120_000);
});
