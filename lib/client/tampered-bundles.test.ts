import { beforeAll, describe, expect, it } from 'vitest';

import { bundleBytes, type Bundle } from '@/lib/ledger/bundle';
import { testWorkspace } from '@/lib/testing/ledger-builder';
import { fingerprintOf } from '@/lib/testing/ledger-harness/cast';
import { tamperedAuthority } from '@/lib/testing/ledger-harness/tamper-authority';
import { tamperedDecisions } from '@/lib/testing/ledger-harness/tamper-decisions';
import { tamperedFiles } from '@/lib/testing/ledger-harness/tamper-files';
import { indexOf, type Found, type Surfaces, type Tampering } from '@/lib/testing/ledger-harness/tampering';
import { bundleOf, resealed } from '@/lib/testing/ledger-harness/tampering-surfaces';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';
import { failedAt } from '@/lib/verify/first-failure';

import { checkBundle } from './check-bundle';

let told: ToldLedger;
let bundle: Bundle;

beforeAll(async () => {
  told = await tellLedger('tampering', testWorkspace);
  bundle = await bundleOf(told);
});

const isFound = (surface: Surfaces['verify']): surface is Found => typeof surface === 'object' && 'check' in surface && surface.unsure !== true;

async function tampered(tampering: Tampering): Promise<{ readonly bytes: Uint8Array; readonly after: ToldLedger }> {
  if ('history' in tampering) {
    const after = await tampering.history(told);
    return { bytes: bundleBytes(await bundleOf(after)), after };
  }
  if ('file' in tampering) return { bytes: tampering.file(bundleBytes(bundle)), after: told };
  if ('bundle' in tampering) return { bytes: await resealed(bundle, await tampering.bundle(bundle, told), told), after: told };
  throw new Error('Rows need a database.');
}

describe('what the page says of a bundle that was tampered with', () => {
  it.each([...tamperedFiles, ...tamperedDecisions, ...tamperedAuthority].filter(({ verify }) => isFound(verify)))('$name', async (tampering) => {
    if (!isFound(tampering.verify)) throw new Error('Not found by it.');
    const { check: id, at } = tampering.verify;
    const { bytes, after } = await tampered(tampering);
    const { checked, opened } = await checkBundle(bytes, { fingerprint: fingerprintOf(told.cast), known: '' });
    expect(checked.verdict).toBe('failed');
    expect(checked.failure?.distrust).toMatch(/^Distrust /);
    expect(checked.failure?.found).not.toBe('');
    const check = checked.checks.find((one) => one.id === id);
    expect(check?.state).toBe('fail');
    const position = check && failedAt(check);
    if (at === undefined || position === undefined) return;
    // The receipt itself is red in the list, not only in the sum.
    expect(position).toBe(indexOf(after, at));
    const lines = opened?.linePage(0, checked.receipts, 'all').lines.filter(({ index }) => index === position) ?? [];
    expect(lines.map(({ state }) => state)).toEqual(lines.map(() => 'fail'));
    // A position may have lost its receipt altogether; what stands there instead is red.
    if (lines.length === 0) return void expect(checked.failure?.at).toBeTypeOf('number');
    expect((await opened?.receipt(position))?.line.state).toBe('fail');
  });
});
