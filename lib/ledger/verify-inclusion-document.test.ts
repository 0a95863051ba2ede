import { describe, expect, it } from 'vitest';

import { concatBytes, toBase64, utf8 } from '@/lib/shared/encoding';
import { memoryTiles } from '@/lib/testing/memory-tiles';
import { nodeSha256 as sha256, nodeVerifySignature as verify, testKey } from '@/lib/testing/node-crypto';

import { openCheckpoint, signCheckpoint } from './checkpoint';
import { parseInclusionDocument, writeInclusionDocument } from './inclusion-document';
import { appendLeaf, emptyFrontier, rootOf } from './merkle/frontier';
import { hashLeaf } from './merkle/hash';
import { inclusionProof } from './merkle/prove';
import { verifyInclusionDocument } from './verify-inclusion-document';

const key = testKey('log');
const origin = 'example.com/log';
const leaves = Array.from({ length: 11 }, (_, n) => hashLeaf(sha256, utf8(`entry ${n}`)));
const root = rootOf(sha256, leaves.reduce((so, leaf) => appendLeaf(sha256, so, leaf), emptyFrontier));
const head = { origin, size: leaves.length, root, extensions: [] };
const checkpoint = await signCheckpoint(sha256, head, key.publicKey, key.signer.sign);
const path = await inclusionProof(sha256, memoryTiles(leaves), 6, leaves.length);
const document = writeInclusionDocument({ index: 6, path, checkpoint });

const leafAt = (index: number) => leaves[index] ?? new Uint8Array();
const check = (text: string | Uint8Array, leaf = leafAt(6), log = { origin, publicKeys: [key.publicKey] }) => verifyInclusionDocument(sha256, verify, text, leaf, log);
const codeOf = async (...given: Parameters<typeof check>) => {
  const result = await check(...given);
  return result.ok ? 'proved' : result.error.code;
};

describe('a proof in one document', () => {
  it('shows a leaf to be in the log at its position, from text and from bytes', async () => {
    expect(await check(document)).toEqual({ ok: true, value: { index: 6, size: 11 } });
    expect(await check(utf8(document))).toEqual({ ok: true, value: { index: 6, size: 11 } });
  });

  it('hands extra data on, which nothing covers', async () => {
    const extra = utf8('out of band');
    expect(await check(writeInclusionDocument({ extra, index: 6, path, checkpoint }))).toEqual({ ok: true, value: { index: 6, size: 11, extra } });
  });

  it('proves the only leaf of a log with no hashes at all', async () => {
    const one = await signCheckpoint(sha256, { origin, size: 1, root: leafAt(0), extensions: [] }, key.publicKey, key.signer.sign);
    expect(await codeOf(writeInclusionDocument({ index: 0, path: [], checkpoint: one }), leafAt(0))).toBe('proved');
  });

  it('shows nothing of another leaf, another position, another log, or under another key', async () => {
    expect(await codeOf(document, leafAt(5))).toBe('ledger_broken');
    expect(await codeOf(document, new Uint8Array(31))).toBe('ledger_broken');
    expect(await codeOf(document.replace('index 6', 'index 7'))).toBe('ledger_broken');
    expect(await codeOf(document.replace('index 6', 'index 11'))).toBe('ledger_broken');
    expect(await codeOf(document.replace(`${toBase64(path[0] ?? new Uint8Array())}\n`, ''))).toBe('ledger_broken');
    expect(await codeOf(document, leafAt(6), { origin: 'example.com/other', publicKeys: [key.publicKey] })).toBe('invalid_input');
    expect(await codeOf(document, leafAt(6), { origin, publicKeys: [testKey('another').publicKey] })).toBe('signature_invalid');
  });

  it('shows nothing under a checkpoint of which a byte was changed', async () => {
    expect(await codeOf(document.replace('\n11\n', '\n12\n'))).toBe('signature_invalid');
    expect(await codeOf(document.replace('— example', '- example'))).toBe('invalid_input');
  });

  it.each([
    ['a blank line at its beginning', `\n${document}`],
    ['no blank line before the checkpoint', document.replace('\n\n', '\n')],
    ['Windows line ends', document.replaceAll('\n', '\r\n')],
    ['a space behind the index', document.replace('index 6', 'index 6 ')],
    ['a sign before the index', document.replace('index 6', 'index +6')],
    ['an index beyond exact integers', document.replace('index 6', 'index 9007199254740992')],
    ['an index in hexadecimal', document.replace('index 6', 'index 0x6')],
    ['empty extra data, which is left out instead', document.replace('index 6', 'extra \nindex 6')],
    ['extra data twice', document.replace('index 6', 'extra YQ==\nextra YQ==\nindex 6')],
    ['extra data behind the index', document.replace('index 6\n', 'index 6\nextra YQ==\n')],
    ['a hash of 33 bytes', document.replace('index 6\n', `index 6\n${toBase64(new Uint8Array(33))}\n`)],
    ['a hash in hexadecimal', document.replace('index 6\n', `index 6\n${'ab'.repeat(32)}\n`)],
    ['more than anybody writes', `${document}${'x'.repeat(600_000)}`],
    ['half a surrogate pair', document.replace('example.com', 'exa\udc00mple.com')],
  ])('with %s is refused', (_what, text) => {
    expect(parseInclusionDocument(text).ok).toBe(false);
  });

  it('in bytes that are no UTF-8 is refused', () => {
    expect(parseInclusionDocument(concatBytes(utf8(document), Uint8Array.of(0xc0))).ok).toBe(false);
  });
});

describe('opening a checkpoint', () => {
  it('gives the tree head and which of the log’s keys signed it', async () => {
    const opened = await openCheckpoint(sha256, verify, checkpoint, origin, [testKey('another').publicKey, key.publicKey]);
    expect(opened).toEqual({ ok: true, value: { ...head, signers: [key.publicKey] } });
  });

  it('keeps extension lines, which the signature covers', async () => {
    const extended = await signCheckpoint(sha256, { ...head, extensions: ['one', 'two'] }, key.publicKey, key.signer.sign);
    expect(await openCheckpoint(sha256, verify, extended, origin, [key.publicKey])).toMatchObject({ value: { extensions: ['one', 'two'] } });
    expect(await openCheckpoint(sha256, verify, extended.replace('one', 'eno'), origin, [key.publicKey])).toMatchObject({ error: { code: 'signature_invalid' } });
  });

  it('refuses a signed note that is no checkpoint', async () => {
    expect(await openCheckpoint(sha256, verify, checkpoint.replace('11\n', '011\n'), origin, [key.publicKey])).toMatchObject({ error: { code: 'invalid_input' } });
  });
});
