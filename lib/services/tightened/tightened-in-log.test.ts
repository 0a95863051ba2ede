import { beforeAll, describe, expect, it } from 'vitest';

import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, emptyFrontier, rootOf } from '@/lib/ledger/merkle/frontier';
import type { TrustRoot, VerifiedTrustRoot } from '@/lib/authority/trust-root';
import type { StoredLeaf } from '@/lib/ports/ledger-reader';
import { digestText } from '@/lib/shared/encoding';
import { testWorkspace } from '@/lib/testing/ledger-builder';
import { listed } from '@/lib/testing/ledger-harness/cast';
import { signTold } from '@/lib/testing/ledger-harness/sign-told';
import { changing, eventOf, followedBy, receiptLike, replacing } from '@/lib/testing/ledger-harness/tampering';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldEvent, ToldLedger } from '@/lib/testing/ledger-harness/teller';
import { memoryTiles } from '@/lib/testing/memory-tiles';
import { nodeSha256 as sha256, nodeVerifySignature as verify } from '@/lib/testing/node-crypto';

import { memoryOfTightened } from './memory-of-tightened';
import { tightenedInLog, type TightenedInLog } from './tightened-in-log';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('switches', testWorkspace);
}, 60_000);

/** Receipts as a log that can be read and proved; `shown` are the rows that somebody put in the place of its own. */
function logOf(envelopes: readonly string[], shown: readonly StoredLeaf[] = envelopes.map((envelope, at) => ({ index: BigInt(at), envelope }))) {
  const hashes: Uint8Array[] = [];
  let frontier = emptyFrontier;
  for (const [at, envelope] of envelopes.entries()) {
    hashes.push(leafHashOf(sha256, leafText(envelope, at, previousOf(hashes.at(-1)))));
    frontier = appendLeaf(sha256, frontier, hashes.at(-1) ?? new Uint8Array());
  }
  const leaves = (from: bigint, to: bigint, limit: number) => Promise.resolve(shown.filter(({ index }) => index >= from && index < to).slice(0, limit));
  return { head: { size: envelopes.length, root: rootOf(sha256, frontier) }, log: { leaves, hashes: memoryTiles(hashes) } };
}
type Log = ReturnType<typeof logOf>;

const receiptsOf = async (log: ToldLedger): Promise<readonly string[]> => (await signTold(log)).flatMap(({ receipts }) => receipts.map(({ envelope }) => envelope));
const reading = ({ log }: Pick<Log, 'log'>, memory = memoryOfTightened()): TightenedInLog => tightenedInLog({ log, cryptography: { sha256, verify }, memory });
const verified = () => ({ root: told.cast.root, digest: digestText(new Uint8Array(32)), fingerprint: digestText(new Uint8Array(32)) });

async function thrownIn({ head }: Pick<Log, 'head'>, read: TightenedInLog): Promise<readonly string[] | string> {
  const found = await read.follow(verified(), null, head, '');
  return found.ok ? found.value.switches.map(({ scope, subject }) => `${scope} ${subject}`) : found.error.code;
}
/** What a service that reads this log takes as thrown. */
async function thrown(log: ToldLedger, rewritten: (receipts: readonly string[]) => readonly string[] = (same) => same): Promise<readonly string[] | string> {
  const made = logOf(rewritten(await receiptsOf(log)));
  return await thrownIn(made, reading(made));
}

/** The same of suspended agents, by a root of another time where one is given. */
async function standing(log: ToldLedger, rewritten: (receipts: readonly string[]) => readonly string[] = (same) => same, root: Pick<VerifiedTrustRoot, 'root' | 'history'> = verified()) {
  const made = logOf(rewritten(await receiptsOf(log)));
  const found = await reading(made).follow({ ...verified(), ...root }, null, made.head, '');
  if (!found.ok) throw new Error(found.error.detail);
  return { agents: [...found.value.agents.keys()], switches: found.value.switches.map(({ subject }) => subject) };
}

/** These switch receipts, counted among each other, written once more behind all others. */
const writtenAgain = (log: ToldLedger, ...which: readonly number[]) => (receipts: readonly string[]): readonly string[] => {
  const switches = log.events.flatMap(({ kind }, at) => (kind === 'switch_thrown' ? [receipts[at] ?? ''] : []));
  return [...receipts, ...which.flatMap((at) => switches[at] ?? [])];
};
/** The same of receipts by what they are called. */
const toldAgain = (log: ToldLedger, ...labels: readonly string[]) => (receipts: readonly string[]): readonly string[] =>
  [...receipts, ...labels.map((label) => receipts[log.events.findIndex((event) => event.label === label)] ?? '')];

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

  it('a throw and its release that are written again behind a later throw release nothing, and nobody stops anything without a key', async () => {
    // The epoch of each is what the console states: it rises with every change.
    const later = (event: ToldEvent, epoch: number, more: Readonly<Record<string, unknown>> = {}): ToldEvent => ({ ...event, predicate: { ...event.predicate, ...more, epoch } });
    const [first, release] = [eventOf(told, 'switch thrown'), eventOf(told, 'switch released')];
    const again = later(first, Number(first.predicate['epoch']) + 2, { receipt: receiptLike(told, 'switch thrown', 'aaaa') });
    const log = replacing(told, 'switch released', [release, { ...again, label: 'thrown again' }]);
    expect(await thrown(log)).toEqual(['agent helper']);
    expect(await thrown(log, writtenAgain(log, 0, 1))).toEqual(['agent helper']);
    const unsigned = (envelope: string): string => envelope.replace(/"sig":"[^"]{8}/, '"sig":"AAAAAAAA');
    expect(await thrown(log, (receipts) => writtenAgain(log, 0, 1)(receipts).map((one, at, all) => (at === all.length - 2 ? unsigned(one) : one)))).toEqual(['agent helper']);
    expect(await thrown(told, (receipts) => [...receipts, unsigned(writtenAgain(told, 0)(receipts).at(-1) ?? '')])).toEqual([]);
  });
});

describe('suspended agents as the log has them', () => {
  const agents = async (...given: Parameters<typeof standing>) => (await standing(...given)).agents;

  it('an owner’s restoration ends exactly the suspension that it names', async () => {
    expect(await agents(told)).toEqual([]);
    expect(await agents(replacing(told, 'agent restored', []))).toEqual(['helper']);
    const again = followedBy('agent restored', 'agent suspended')(told);
    expect(await agents(followedBy('copy of agent suspended', 'agent restored')(again))).toEqual(['helper']);
    expect(await agents(changing('agent restored', () => ({ subject: 'runner' }))(told))).toEqual(['helper']);
  });

  it('a service’s key alone restores nobody', async () => {
    const event = eventOf(told, 'agent restored');
    const { envelope: _envelope, ...predicate } = event.predicate;
    expect(await agents(replacing(told, 'agent restored', [{ ...event, predicate }]))).toEqual(['helper']);
  });

  it('a suspension and its restoration that are written again behind a later suspension restore nobody', async () => {
    const [suspension, restoration] = [eventOf(told, 'agent suspended'), eventOf(told, 'agent restored')];
    const at = new Date(Date.parse(restoration.predicate.at) + 1).toISOString();
    const again = { ...suspension, label: 'suspended again', predicate: { ...suspension.predicate, receipt: receiptLike(told, 'agent suspended', 'aaaa'), at } };
    const log = replacing(told, 'agent restored', [restoration, again]);
    expect(await agents(log)).toEqual(['helper']);
    expect(await agents(log, toldAgain(log, 'agent suspended', 'agent restored'))).toEqual(['helper']);
  });

  it('a restoration, like a release, still counts when its owner has left since, and none counts by an owner who came later', async () => {
    const { root, people, keys } = told.cast;
    const others: TrustRoot = { ...root, owners: [{ person: people.abe, key: listed(keys.abe, 'file-ed25519') }] };
    const left = { root: others, history: [{ index: 0, root }, { index: told.events.length, root: others }] };
    expect(await standing(told, undefined, left)).toEqual({ agents: [], switches: [] });
    const came = { root, history: [{ index: 0, root: others }, { index: told.events.length, root }] };
    expect(await standing(told, undefined, came)).toEqual({ agents: ['helper'], switches: ['helper'] });
  });
});

describe('the leaves of a log', () => {
  const stillOn = () => replacing(told, 'switch released', []);
  const at = (log: ToldLedger) => log.events.findIndex(({ kind }) => kind === 'switch_thrown');

  it.each<[string, (rows: readonly StoredLeaf[], thrownAt: number) => readonly StoredLeaf[]]>([
    ['altered', (rows, thrownAt) => rows.map((row, index) => (index === thrownAt ? { ...row, envelope: rows[0]?.envelope ?? '' } : row))],
    ['taken out', (rows, thrownAt) => rows.filter((_, index) => index !== thrownAt)],
    ['moved', (rows, thrownAt) => rows.map((row, index) => ({ ...row, envelope: rows[index === thrownAt ? index + 1 : index === thrownAt + 1 ? index - 1 : index]?.envelope ?? '' }))],
    ['cut off at the end', (rows) => rows.slice(0, -1)],
  ])('are not believed where one of them was %s', async (_, rewritten) => {
    const log = stillOn();
    const envelopes = await receiptsOf(log);
    const shown = rewritten(envelopes.map((envelope, index) => ({ index: BigInt(index), envelope })), at(log));
    const made = logOf(envelopes, shown);
    expect(await thrownIn(made, reading(made))).toBe('ledger_broken');
  });

  it('are read once: who starts goes on from what was kept, and needs none of them again', async () => {
    const log = stillOn();
    const envelopes = await receiptsOf(log);
    const [early, whole] = [logOf(envelopes.slice(0, at(log) + 1)), logOf(envelopes)];
    const memory = memoryOfTightened();
    expect(await thrownIn(early, reading(early, memory))).toEqual(['agent helper']);
    const behind = logOf(envelopes, envelopes.map((envelope, index) => ({ index: BigInt(index), envelope })).slice(at(log) + 1));
    expect(await thrownIn(whole, reading(behind, memory))).toEqual(['agent helper']);
  });

  it('of another history are read from their beginning, and what was stopped in the one before stays stopped', async () => {
    const log = stillOn();
    const envelopes = await receiptsOf(log);
    const [whole, other] = [logOf(envelopes), logOf(envelopes.slice(0, at(log)))];
    const memory = memoryOfTightened();
    const read = reading(whole, memory);
    expect(await thrownIn(whole, read)).toEqual(['agent helper']);
    expect(await thrownIn(other, reading(other, memory))).toEqual(['agent helper']);
    const kept = await memory.read();
    expect(kept).toMatchObject({ ok: true, value: { read: { size: other.head.size } } });
  });
});
