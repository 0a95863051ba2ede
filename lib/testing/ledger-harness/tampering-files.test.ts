import { beforeAll, describe, expect, it } from 'vitest';

import { bundleBytes, type Bundle } from '@/lib/ledger/bundle';

import { testWorkspace } from '../ledger-builder';
import { tamperedFiles } from './tamper-files';
import { bundleOf, expectFound, resealed, verifyTold } from './tampering-surfaces';
import type { ToldLedger } from './teller';
import { tellLedger } from './tell-ledger';

let told: ToldLedger;
let bundle: Bundle;

beforeAll(async () => {
  told = await tellLedger('tampering', testWorkspace);
  bundle = await bundleOf(told);
}, 60_000);

describe('a bundle that was tampered with', () => {
  it.each(tamperedFiles)('$name', async (tampering) => {
    const bytes = 'file' in tampering ? tampering.file(bundleBytes(bundle)) : 'bundle' in tampering ? await resealed(bundle, await tampering.bundle(bundle, told), told) : new Uint8Array();
    expectFound(await verifyTold(bytes, told), tampering.verify, told);
  }, 30_000);

  it('is verified untouched, and sealed again without a change', async () => {
    for (const bytes of [bundleBytes(bundle), await resealed(bundle, {}, told)]) expect((await verifyTold(bytes, told)).verdict).toBe('verified');
  });
});
