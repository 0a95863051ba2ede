import { describe, expect, it } from 'vitest';

import { concatBytes, fromBase64, toBase64, utf8 } from '@/lib/shared/encoding';
import { nodeSha256 as sha256, nodeVerifySignature as verify, testKey } from '@/lib/testing/node-crypto';

import { noteKeyId, parseNote, signNote, verifyNote, type NoteKey } from './note';

const log = testKey('log');
const witness = testKey('witness');
const logKey: NoteKey = { name: 'example.com/log', publicKey: log.publicKey };
const witnessKey: NoteKey = { name: 'witness.example', publicKey: witness.publicKey };
const text = 'Ein Satz.\n';
const note = await signNote(sha256, text, logKey, log.signer.sign);
const lineOf = (signed: string) => signed.slice(signed.indexOf('—'));
const line = lineOf(note);
const witnessed = note + lineOf(await signNote(sha256, text, witnessKey, witness.signer.sign));

async function signersOf(signed: string | Uint8Array, keys: readonly NoteKey[]) {
  const parsed = parseNote(signed);
  if (!parsed.ok) return 'unreadable';
  const signers = await verifyNote(sha256, verify, parsed.value, keys);
  return signers.ok ? signers.value.map(({ name }) => name) : signers.error.code;
}

/** A well-formed signature line under a name, by a key that nobody knows, of `size` bytes. */
const stranger = (name: string, size = 64) => `— ${name} ${toBase64(concatBytes(Uint8Array.of(1, 2, 3, 4), new Uint8Array(size).fill(7)))}\n`;

describe('a note with several signatures', () => {
  it('is signed by each known key whose signature is there, and by no other', async () => {
    expect(await signersOf(witnessed, [logKey, witnessKey])).toEqual(['example.com/log', 'witness.example']);
    expect(await signersOf(witnessed, [witnessKey])).toEqual(['witness.example']);
    expect(await signersOf(witnessed, [{ ...logKey, publicKey: witness.publicKey }])).toBe('signature_invalid');
  });

  it('ignores what unknown keys signed, whatever their algorithm, also under the name or the id of a known one', async () => {
    expect(await signersOf(note + stranger('unknown.example', 5000), [logKey])).toEqual(['example.com/log']);
    expect(await signersOf(note + stranger('unknown.example', 1), [logKey])).toEqual(['example.com/log']);
    expect(await signersOf(note + stranger(logKey.name), [logKey])).toEqual(['example.com/log']);
    const sameId = `— other.example ${toBase64(concatBytes(noteKeyId(sha256, logKey), new Uint8Array(64)))}\n`;
    expect(await signersOf(note + sameId, [logKey])).toEqual(['example.com/log']);
  });

  it('is refused whole when a known key’s signature does not verify, though another one’s does', async () => {
    const bad = `— ${witnessKey.name} ${toBase64(concatBytes(noteKeyId(sha256, witnessKey), new Uint8Array(64)))}\n`;
    expect(await signersOf(note + bad, [logKey, witnessKey])).toBe('signature_invalid');
    expect(await signersOf(note + bad, [logKey])).toEqual(['example.com/log']);
    const short = `— ${witnessKey.name} ${toBase64(concatBytes(noteKeyId(sha256, witnessKey), new Uint8Array(63)))}\n`;
    expect(await signersOf(note + short, [logKey, witnessKey])).toBe('signature_invalid');
  });

  it('counts a key once, however often it signed', async () => {
    expect(await signersOf(note + line, [logKey])).toEqual(['example.com/log']);
  });

  it('is read with sixteen signatures of the largest kind that witnesses use', async () => {
    const many = Array.from({ length: 16 }, (_, n) => stranger(`witness${n}.example`, 4700)).join('');
    expect(await signersOf(note + many, [logKey])).toEqual(['example.com/log']);
  });

  it('is not signed by anybody when no key is known', async () => {
    expect(await signersOf(witnessed, [])).toBe('signature_invalid');
  });
});

describe('the form of a note', () => {
  it('another implementation’s published note verifies', async () => {
    // From the documentation of Go's golang.org/x/mod/sumdb/note.
    const published =
      'If you think cryptography is the answer to your problem,\nthen you don\'t know what your problem is.\n\n' +
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
    const encoded = fromBase64('ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
    const key = { name: 'PeterNeumann', publicKey: encoded?.slice(1) ?? new Uint8Array() };
    expect(Buffer.from(noteKeyId(sha256, key)).toString('hex')).toBe('c74f20a3');
    expect(await signersOf(published, [key])).toEqual(['PeterNeumann']);
    expect(await signersOf(published.replace('answer', 'cause'), [key])).toBe('signature_invalid');
  });

  it('is read from bytes as from text, and bytes that are no UTF-8 are refused', async () => {
    expect(await signersOf(utf8(note), [logKey])).toEqual(['example.com/log']);
    expect(await signersOf(concatBytes(Uint8Array.of(0xff), utf8(note)), [logKey])).toBe('unreadable');
    expect(await signersOf(concatBytes(Uint8Array.of(0xef, 0xbb, 0xbf), utf8(note)), [logKey])).toBe('signature_invalid');
  });

  it('lets the text be a single empty line, and hold empty lines: the signatures follow the last one', () => {
    expect(parseNote(`\n\n${line}`)).toMatchObject({ ok: true, value: { text: '\n' } });
    expect(parseNote(`one\n\n\n\ntwo\n\n${line}`)).toMatchObject({ ok: true, value: { text: 'one\n\n\n\ntwo\n' } });
    expect(parseNote(`${text}\n${line}\n${line}`)).toMatchObject({ ok: true, value: { text: `${text}\n${line}` } });
  });

  it.each([
    ['nothing', ''],
    ['only a newline', '\n'],
    ['only signatures', line],
    ['an empty block of signatures', `${text}\n`],
    ['an empty line after the signatures', `${note}\n`],
    ['a text behind the signatures', `${note}more\n`],
    ['an en dash', note.replace('—', '–')],
    ['no dash', note.replace('— ', '')],
    ['a space before the dash', note.replace('—', ' —')],
    ['no space after the dash', note.replace('— ', '—')],
    ['two spaces after the dash', note.replace('— ', '—  ')],
    ['two spaces before the signature', note.replace(`${logKey.name} `, `${logKey.name}  `)],
    ['a no-break space for a space', note.replace('— ', '—\u00a0')],
    ['a space at the end of the line', note.replace(/\n$/, ' \n')],
    ['no name', `${text}\n—  ${line.split(' ')[2] ?? ''}`],
    ['a name and no signature', `${text}\n— ${logKey.name}\n`],
    ['a signature that is only a key id', `${text}\n— ${logKey.name} AQIDBA==\n`],
    ['a signature shorter than a key id', `${text}\n— ${logKey.name} AQID\n`],
    ['base64 for addresses', note.replace(line.split(' ')[2] ?? '', '-_-_-_-_\n')],
    ['base64 without its padding', note.replace(/=+\n$/, '\n')],
    ['base64 with bits left over', `${text}\n— ${logKey.name} AQIDBAV=\n`],
    ['base64 broken by a newline', note.replace(/(.{20})\n$/, '\n$1\n')],
    ['a form feed in its text', note.replace('Satz', 'Sa\ftz')],
    ['a null in its text', note.replace('Satz', 'Sa\0tz')],
    ['half a surrogate pair in its text', note.replace('Satz', 'Sa\ud800tz')],
  ])('with %s is refused', (_what, signed) => {
    expect(parseNote(signed).ok).toBe(false);
  });

  it.each([
    ['a plus sign', 'a+b', false],
    ['a space', 'a b', false],
    ['a no-break space', 'a\u00a0b', false],
    ['an ideographic space', 'a\u3000b', false],
    ['a next-line character', 'a\u0085b', false],
    ['a line separator', 'a\u2028b', false],
    ['nothing in it', '', false],
    ['letters of any script', 'журнал.example/записи', true],
    ['a delete character, which is no ASCII control below a space', 'a\u007fb', true],
    ['a zero-width no-break space, which is no white space', 'a\ufeffb', true],
  ])('a key name with %s: %s is a name, %s', async (_what, name, holds) => {
    expect(parseNote(note.replace(logKey.name, name)).ok).toBe(holds);
    const signing = signNote(sha256, text, { ...logKey, name }, log.signer.sign);
    await (holds ? expect(signing).resolves.toContain(name) : expect(signing).rejects.toThrow('name'));
  });
});
