import type { VerifySignature } from '@/lib/shared/dsse';
import { bytesEqual, concatBytes, fromBase64, fromUtf8, toBase64, utf8, type Sha256 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

/** A note: text that ends in a newline, and who signed it. Source: c2sp.org/signed-note. */
export type Note = { readonly text: string; readonly signatures: readonly NoteSignature[] };

/** `keyId` is the 4-byte hint that, with the name, tells which key and algorithm this is. */
export type NoteSignature = { readonly name: string; readonly keyId: Uint8Array; readonly signature: Uint8Array };

export type NoteKey = { readonly name: string; readonly publicKey: Uint8Array };

/**
 * Notes come from outside: bounded before they are read. The standard asks for at least 16 signatures, of up to some 5 kB each where
 * witnesses use post-quantum keys. Length in UTF-16 code units, of bytes in bytes.
 */
const maxNoteLength = 256 * 1024;
const maxSignatures = 32;

const ed25519 = 0x01;

/** The key id of an Ed25519 note key: the first four bytes of SHA-256(name, newline, 0x01, public key). */
export const noteKeyId = (sha256: Sha256, key: NoteKey): Uint8Array =>
  sha256(concatBytes(utf8(`${key.name}\n`), Uint8Array.of(ed25519), key.publicKey)).slice(0, 4);

/** Signs with one Ed25519 key. Throws on a text or name that no note may have: those are ours, not a stranger's. */
export async function signNote(
  sha256: Sha256,
  text: string,
  key: NoteKey,
  sign: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  if (!isNoteText(text)) throw new TypeError('A note’s text ends in a newline and holds no other control characters.');
  if (!isKeyName(key.name)) throw new TypeError('A note key’s name holds neither spaces nor a plus sign.');
  const signature = await sign(utf8(text));
  return `${text}\n— ${key.name} ${toBase64(concatBytes(noteKeyId(sha256, key), signature))}\n`;
}

/** Strict: exactly one way to write a note is read; anything else is `invalid_input`. Says nothing about the signatures' truth. */
export function parseNote(input: string | Uint8Array): Result<Note> {
  if (input.length > maxNoteLength) return fail('invalid_input', 'The note is too long.');
  const note = typeof input === 'string' ? input : fromUtf8(input);
  if (note === undefined || !isNoteText(note)) return fail('invalid_input', 'The note is not UTF-8, holds control characters, or does not end in a newline.');
  const split = note.lastIndexOf('\n\n');
  if (split < 0) return fail('invalid_input', 'The note has no signatures.');
  const text = note.slice(0, split + 1);
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > maxSignatures) return fail('invalid_input', 'The note has too many signatures.');
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const signature = parseSignatureLine(line);
    if (!signature) return fail('invalid_input', 'A signature line of the note is malformed.');
    signatures.push(signature);
  }
  return ok({ text, signatures });
}

/** Em dash, name, base64 of key id and signature, one space between each. */
function parseSignatureLine(line: string): NoteSignature | undefined {
  const [dash, name, encoded, ...rest] = line.split(' ');
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  if (dash !== '—' || name === undefined || !isKeyName(name) || !bytes || bytes.length <= 4 || rest.length > 0) return undefined;
  return { name, keyId: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/**
 * The known keys that signed the note. Signatures of unknown keys are ignored, as the standard asks; one of a known key that
 * does not verify makes the whole note `signature_invalid`, and so does having none.
 */
export async function verifyNote(
  sha256: Sha256,
  verify: VerifySignature,
  note: Note,
  keys: readonly NoteKey[],
): Promise<Result<readonly NoteKey[]>> {
  const signers = new Set<NoteKey>();
  const bytes = utf8(note.text);
  for (const { name, keyId, signature } of note.signatures) {
    // Two keys can share a name and a four-byte id by accident; then either may have signed.
    const known = keys.filter((key) => key.name === name && bytesEqual(noteKeyId(sha256, key), keyId));
    if (known.length === 0) continue;
    const holds = await Promise.all(known.map((key) => verify(key.publicKey, bytes, signature)));
    const signer = known[holds.indexOf(true)];
    if (!signer) return fail('signature_invalid', `The signature of ${name} does not verify.`);
    signers.add(signer);
  }
  return signers.size > 0 ? ok([...signers]) : fail('signature_invalid', 'No known key has signed the note.');
}

/** Valid Unicode, a final newline, and no control character of ASCII but newlines. */
export function isNoteText(text: string): boolean {
  if (!text.endsWith('\n') || !text.isWellFormed()) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x20 && text[i] !== '\n') return false;
  return true;
}

/** Not empty, no Unicode space, no plus sign. */
const isKeyName = (name: string): boolean => name.length > 0 && name.isWellFormed() && !/[\p{White_Space}+\u0000-\u001f]/u.test(name);
