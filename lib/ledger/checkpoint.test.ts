import { describe, expect, it } from 'vitest';

import { fromBase64, toBase64, utf8 } from '@/lib/shared/encoding';
import { testId, testKeys, testWorkspace } from '@/lib/testing/ledger-builder';
import { nodeSha256 as sha256, nodeVerifySignature as verify, testKey } from '@/lib/testing/node-crypto';

import { checkpointKey, checkpointText, originOf, parseCheckpoint, parseCheckpointText, signCheckpoint, workspaceOfOrigin } from './checkpoint';
import { parseInclusionDocument, writeInclusionDocument } from './inclusion-document';
import { noteKeyId, parseNote, signNote, verifyNote, type NoteKey } from './note';

const origin = originOf(testWorkspace);
const root = sha256(utf8('root'));
const { plane } = testKeys;
const key: NoteKey = checkpointKey(origin, plane.publicKey);
const note = await signCheckpoint(sha256, { origin, size: 20_852_163, root, extensions: [] }, plane.publicKey, plane.signer.sign);

async function signersOf(text: string, keys: readonly NoteKey[]) {
  const parsed = parseNote(text);
  return parsed.ok ? verifyNote(sha256, verify, parsed.value, keys) : parsed;
}

describe('checkpoints', () => {
  it('are written as origin, size and root, each on its line, with one signature of the log', () => {
    const [first, size, hash, empty, signature, end] = note.split('\n');
    expect([first, size, hash, empty, end]).toEqual([origin, '20852163', toBase64(root), '', '']);
    expect(signature?.startsWith(`— ${origin} `)).toBe(true);
  });

  it('are read back, and the workspace follows from the origin', () => {
    expect(parseCheckpoint(note)).toEqual({ ok: true, value: { origin, size: 20_852_163, root, extensions: [] } });
    expect(workspaceOfOrigin(origin)).toBe(testWorkspace);
    expect(workspaceOfOrigin('example.com/log')).toBeUndefined();
    expect(workspaceOfOrigin(`countersign.dev/log/${testId('action', 1)}`)).toBeUndefined();
  });

  it('keep extension lines under the signature', () => {
    const text = checkpointText({ origin, size: 1, root, extensions: ['more'] });
    expect(parseCheckpointText(text)).toMatchObject({ value: { extensions: ['more'] } });
  });

  it('read the published example', () => {
    const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
    expect(parseCheckpointText(text)).toMatchObject({ ok: true, value: { origin: 'example.com/behind-the-sofa', size: 20_852_163 } });
  });

  const hash = toBase64(root);
  it.each([
    ['a leading zero', `o\n01\n${hash}\n`],
    ['a plus sign', `o\n+1\n${hash}\n`],
    ['no origin', `\n1\n${hash}\n`],
    ['a size that is not exact', `o\n9007199254740993\n${hash}\n`],
    ['a short root', 'o\n1\nAAAA\n'],
    ['a root that is not canonical base64', `o\n1\n${hash.replace('=', '')}\n`],
    ['an empty extension line', `o\n1\n${hash}\n\nmore\n`],
    ['no final newline', `o\n1\n${hash}`],
    ['two lines only', 'o\n1\n'],
  ])('with %s are refused', (_what, text) => {
    expect(parseCheckpointText(text).ok).toBe(false);
  });
});

describe('signed notes', () => {
  it('key ids follow the published example’s rule', () => {
    const expected = sha256(new Uint8Array([...utf8(origin), 0x0a, 0x01, ...plane.publicKey])).slice(0, 4);
    expect(noteKeyId(sha256, key)).toEqual(expected);
  });

  it('a signature by a known key is accepted, one by an unknown key alone is not', async () => {
    expect(await signersOf(note, [key])).toEqual({ ok: true, value: [key] });
    expect((await signersOf(note, [checkpointKey(origin, testKey('other').publicKey)])).ok).toBe(false);
    expect((await signersOf(note, [])).ok).toBe(false);
  });

  it('a signature of another key beside the known one is ignored', async () => {
    const stranger = testKey('stranger');
    const theirs = await signNote(sha256, 'x\n', { name: 'witness.example', publicKey: stranger.publicKey }, stranger.signer.sign);
    const line = theirs.slice(theirs.indexOf('—'));
    expect(await signersOf(note + line, [key])).toEqual({ ok: true, value: [key] });
  });

  it('a broken signature of a known key refuses the whole note, whatever else signs it', async () => {
    const other = await signNote(sha256, 'another text\n', key, plane.signer.sign);
    const line = other.slice(other.indexOf('—'));
    expect((await signersOf(note + line, [key])).ok).toBe(false);
    expect((await signersOf(note.replace('20852163', '20852164'), [key])).ok).toBe(false);
  });

  const signature = note.slice(note.indexOf('—'));
  it.each([
    ['no signature', 'text\n'],
    ['no blank line', `text\n${signature}`],
    ['a hyphen for the dash', note.replace('—', '-')],
    ['a name with a plus', note.replace(`— ${origin}`, '— a+b')],
    ['a carriage return', note.replace('\n', '\r\n')],
    ['a tab', note.replace(origin, `${origin}\t`)],
    ['no final newline', note.slice(0, -1)],
    ['a signature that is not base64', note.replace(/[A-Za-z0-9+/]{4}=*\n$/, '****\n')],
    ['something behind the signature', `${note.slice(0, -1)} more\n`],
    ['more signatures than are read', note + signature.repeat(40)],
    ['more text than is read', `${'x'.repeat(270_000)}\n\n${signature}`],
  ])('a note with %s is refused', (_what, text) => {
    expect(parseNote(text).ok).toBe(false);
  });

  it('text without a final newline, and a name with a space, are never signed', async () => {
    await expect(signNote(sha256, 'text', key, plane.signer.sign)).rejects.toThrow('newline');
    await expect(signNote(sha256, 'text\n', { ...key, name: 'a b' }, plane.signer.sign)).rejects.toThrow('spaces');
  });

  it('a text may hold empty lines: the signatures follow the last one', async () => {
    const text = 'one\n\ntwo\n';
    const signed = await signNote(sha256, text, key, plane.signer.sign);
    expect(parseNote(signed)).toMatchObject({ value: { text } });
    expect((await signersOf(signed, [key])).ok).toBe(true);
  });
});

describe('inclusion documents', () => {
  const path = [sha256(utf8('a')), sha256(utf8('b'))];

  it('are written as the format asks and read back, with and without extra data', () => {
    const text = writeInclusionDocument({ index: 7, path, checkpoint: note });
    expect(text.startsWith(`c2sp.org/tlog-proof@v1\nindex 7\n${toBase64(path[0] as Uint8Array)}\n`)).toBe(true);
    expect(text.endsWith(`\n\n${note}`)).toBe(true);
    expect(parseInclusionDocument(text)).toEqual({ ok: true, value: { index: 7, path, checkpoint: note } });
    const extra = fromBase64('YWdl') as Uint8Array;
    expect(parseInclusionDocument(writeInclusionDocument({ extra, index: 0, path: [], checkpoint: note }))).toEqual({
      ok: true,
      value: { extra, index: 0, path: [], checkpoint: note },
    });
  });

  const good = writeInclusionDocument({ index: 7, path, checkpoint: note });
  it.each([
    ['another first line', good.replace('@v1', '@v2')],
    ['no index', good.replace('index 7\n', '')],
    ['a leading zero', good.replace('index 7', 'index 07')],
    ['extra data that is not base64', good.replace('index 7', 'extra ???\nindex 7')],
    ['a short hash', good.replace('index 7\n', 'index 7\nAAAA\n')],
    ['no checkpoint', good.slice(0, good.indexOf('\n\n'))],
    ['a path longer than any tree is high', writeInclusionDocument({ index: 7, path: Array.from({ length: 60 }, () => root), checkpoint: note })],
  ])('with %s are refused', (_what, text) => {
    expect(parseInclusionDocument(text).ok).toBe(false);
  });
});
