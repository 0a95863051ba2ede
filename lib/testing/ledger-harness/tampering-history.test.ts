import { beforeAll, describe, expect, it } from 'vitest';

import { bundleBytes } from '@/lib/ledger/bundle';
import type { KnownHead } from '@/lib/verify/check-tree';

import { testWorkspace } from '../ledger-builder';
import { tamperedAuthority } from './tamper-authority';
import { tamperedPasskeys } from './tamper-passkeys';
import { tamperedDecisions } from './tamper-decisions';
import { tamperedLifeCycles } from './tamper-life-cycle';
import { tamperedEvidence } from './tamper-shown';
import { builtFrom } from './sign-told';
import { bundleOf, expectFound, verifyTold } from './tampering-surfaces';
import type { ToldLedger } from './teller';
import { tellLedger } from './tell-ledger';

let told: ToldLedger;
let known: readonly KnownHead[];

beforeAll(async () => {
  told = await tellLedger('tampering', testWorkspace);
  const size = told.events.length;
  known = [{ size, root: (await builtFrom(told)).root(size) }];
}, 60_000);

describe('a history that was signed anew with a service’s key', () => {
  it.each([...tamperedDecisions, ...tamperedLifeCycles, ...tamperedEvidence, ...tamperedAuthority, ...tamperedPasskeys])('$name: is found, and shows against a checkpoint that was exported before', async (tampering) => {
    if (!('history' in tampering)) throw new Error('Not a history.');
    const tampered = await tampering.history(told);
    const report = await verifyTold(bundleBytes(await bundleOf(tampered)), told, known);
    expectFound(report, tampering.verify, tampered);
    if ('denied' in tampering.pins) expect(report.checks.find(({ id }) => id === 'consistency')?.state).toBe('fail');
  }, 30_000);
});
