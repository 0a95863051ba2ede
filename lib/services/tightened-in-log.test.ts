import { beforeAll, describe, expect, it } from 'vitest';

import type { LogRow } from '@/lib/ports/ledger-reader';
import { testWorkspace } from '@/lib/testing/ledger-builder';
import { signTold } from '@/lib/testing/ledger-harness/sign-told';
import { changing, eventOf, followedBy, receiptLike, replacing } from '@/lib/testing/ledger-harness/tampering';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldEvent, ToldLedger } from '@/lib/testing/ledger-harness/teller';
import { nodeSha256 as sha256, nodeVerifySignature as verify } from '@/lib/testing/node-crypto';

import { tightenedInLog } from './tightened-in-log';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('switches', testWorkspace);
}, 60_000);

type Rows = (rows: readonly LogRow[]) => readonly LogRow[];

/** What a service that reads this log takes as thrown; `rewritten` by somebody who may write rows, and has no key. */
async function thrown(log: ToldLedger, rewritten: Rows = (rows) => rows): Promise<readonly string[]> {
  const receipts = (await signTold(log)).flatMap((batch) => batch.receipts);
  const rows = rewritten(receipts.map((receipt, index): LogRow => ({ ...receipt, index: BigInt(index), leaf_hash: new Uint8Array(32), labels: [], rules: [] })));
  const read = tightenedInLog({ search: searchIn(rows) }, { sha256, verify });
  return (await read(log.cast.root, BigInt(rows.length))).switches.map(({ scope, subject }) => `${scope} ${subject}`);
}

const searchIn = (rows: readonly LogRow[]) => ({ kind }: { readonly kind?: string }, { before = 2n ** 62n }: { readonly before?: bigint }) =>
  Promise.resolve({ rows: rows.filter((row) => row.kind === kind && row.index < before).reverse(), next: null });

/** These switch receipts, counted among each other, written once more behind all others. */
const writtenAgain = (...which: readonly number[]): Rows => (rows) => {
  const switches = rows.filter(({ kind }) => kind === 'switch_thrown');
  return [...rows, ...which.flatMap((at) => switches[at] ?? [])].map((row, index) => ({ ...row, index: BigInt(index) }));
};

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

  it('a throw and its release that are written again behind a later throw release nothing', async () => {
    // The epoch of each is what the console states: it rises with every change.
    const later = (event: ToldEvent, epoch: number, more: Readonly<Record<string, unknown>> = {}): ToldEvent => ({ ...event, predicate: { ...event.predicate, ...more, epoch } });
    const [first, release] = [eventOf(told, 'switch thrown'), eventOf(told, 'switch released')];
    const again = later(first, Number(first.predicate['epoch']) + 2, { receipt: receiptLike(told, 'switch thrown', 'aaaa') });
    const log = replacing(told, 'switch released', [release, { ...again, label: 'thrown again' }]);
    expect(await thrown(log)).toEqual(['agent helper']);
    expect(await thrown(log, writtenAgain(0, 1))).toEqual(['agent helper']);
    const unsigned: Rows = (rows) => writtenAgain(0, 1)(rows).map((row, at, all) => (at === all.length - 2 ? { ...row, envelope: row.envelope.replace(/"sig":"[^"]{8}/, '"sig":"AAAAAAAA') } : row));
    expect(await thrown(log, unsigned)).toEqual(['agent helper']);
  });

  it('a row far ahead of the log hides no throw that comes in between', async () => {
    const rows: LogRow[] = [];
    await thrown(replacing(told, 'switch released', []), (all) => { rows.push(...all); return all; });
    const first = rows.findIndex(({ kind }) => kind === 'switch_thrown');
    const far = rows.slice(first, first + 1).map((row): LogRow => ({ ...row, index: 2n ** 40n, envelope: '{}' }));
    let shown: readonly LogRow[] = [...rows.slice(0, first), ...far];
    const read = tightenedInLog({ search: (filters, page) => searchIn(shown)(filters, page) }, { sha256, verify });
    expect((await read(told.cast.root, BigInt(first))).switches).toEqual([]);
    shown = rows;
    expect((await read(told.cast.root, BigInt(rows.length))).switches).toHaveLength(1);
  });
});
