import { beforeAll, describe, expect, it } from 'vitest';

import type { LogRow } from '@/lib/ports/ledger-reader';
import { testWorkspace } from '@/lib/testing/ledger-builder';
import { signTold } from '@/lib/testing/ledger-harness/sign-told';
import { changing, eventOf, followedBy, replacing } from '@/lib/testing/ledger-harness/tampering';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';
import { nodeSha256 as sha256, nodeVerifySignature as verify } from '@/lib/testing/node-crypto';

import { tightenedInLog } from './tightened-in-log';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('switches', testWorkspace);
}, 60_000);

/** What a service that reads this log takes as thrown. */
async function thrown(log: ToldLedger): Promise<readonly string[]> {
  const receipts = (await signTold(log)).flatMap((batch) => batch.receipts);
  const rows = receipts.map((receipt, index): LogRow => ({ ...receipt, index: BigInt(index), leaf_hash: new Uint8Array(32), labels: [], rules: [] })).reverse();
  const search = ({ kind }: { readonly kind?: string }) => Promise.resolve({ rows: rows.filter((row) => row.kind === kind), next: null });
  const read = tightenedInLog({ search }, { sha256, verify });
  return (await read(log.cast.root)).switches.map(({ scope, subject }) => `${scope} ${subject}`);
}

describe('switches as the log has them', () => {
  it('an owner’s release ends exactly the throw that it names', async () => {
    expect(await thrown(told)).toEqual([]);
    expect(await thrown(replacing(told, 'switch released', []))).toEqual(['agent helper']);
  });

  it('a service’s key alone releases nothing', async () => {
    const event = eventOf(told, 'switch released');
    const { envelope: _envelope, ...predicate } = event.predicate;
    expect(await thrown(replacing(told, 'switch released', [{ ...event, predicate }]))).toEqual(['agent helper']);
  });

  it('a release is good once: it does not release a later throw, nor another switch', async () => {
    const again = followedBy('switch released', 'switch thrown')(told);
    expect(await thrown(followedBy('copy of switch thrown', 'switch released')(again))).toEqual(['agent helper']);
    expect(await thrown(changing('switch released', () => ({ scope: 'tool' }))(told))).toEqual(['agent helper']);
  });
});
