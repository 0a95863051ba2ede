import type { VerifySignature } from '@/lib/shared/dsse';
import { fromBase64, toBase64, type Sha256 } from '@/lib/shared/encoding';
import { isId, type WorkspaceId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { isNoteText, parseNote, signNote, verifyNote, type NoteKey } from './note';

/** A signed tree head: this log had this root at this size. Source: c2sp.org/tlog-checkpoint. */
export type Checkpoint = {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** Opaque lines that the signature covers. Countersign writes none. */
  readonly extensions: readonly string[];
};

const originPrefix = 'countersign.dev/log/';

/** The log's name, and the name of the key that signs its checkpoints: one log a workspace. */
export const originOf = (workspace: WorkspaceId): string => `${originPrefix}${workspace}`;

export function workspaceOfOrigin(origin: string): WorkspaceId | undefined {
  const workspace = origin.slice(originPrefix.length);
  return origin.startsWith(originPrefix) && isId('workspace', workspace) ? workspace : undefined;
}

/** The text that gets signed: origin, size, root, then extension lines, each ended by a newline. */
export const checkpointText = ({ origin, size, root, extensions }: Checkpoint): string =>
  [origin, String(size), toBase64(root), ...extensions].map((line) => `${line}\n`).join('');

/** A checkpoint as a signed note. The key's name is the origin, as the standard recommends. */
export const signCheckpoint = (
  sha256: Sha256,
  checkpoint: Checkpoint,
  publicKey: Uint8Array,
  sign: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<string> => signNote(sha256, checkpointText(checkpoint), checkpointKey(checkpoint.origin, publicKey), sign);

export const checkpointKey = (origin: string, publicKey: Uint8Array): NoteKey => ({ name: origin, publicKey });

/** The tree head that a note states. Check the note's signatures before believing it, or use `openCheckpoint`. */
export function parseCheckpoint(note: string | Uint8Array): Result<Checkpoint> {
  const parsed = parseNote(note);
  return parsed.ok ? parseCheckpointText(parsed.value.text) : parsed;
}

/**
 * The tree head of this log, once one of its keys is known to have signed it. `invalid_input`: not a checkpoint, or another log's;
 * `signature_invalid`: no key of these signed it, or one's signature does not verify.
 */
export async function openCheckpoint(
  sha256: Sha256,
  verify: VerifySignature,
  note: string | Uint8Array,
  origin: string,
  publicKeys: readonly Uint8Array[],
): Promise<Result<Checkpoint & { readonly signers: readonly Uint8Array[] }>> {
  const parsed = parseNote(note);
  if (!parsed.ok) return parsed;
  const head = parseCheckpointText(parsed.value.text);
  if (!head.ok) return head;
  if (head.value.origin !== origin) return fail('invalid_input', 'The checkpoint is of another log.');
  const signers = await verifyNote(sha256, verify, parsed.value, publicKeys.map((key) => checkpointKey(origin, key)));
  return signers.ok ? ok({ ...head.value, signers: signers.value.map(({ publicKey }) => publicKey) }) : signers;
}

/** Strict: no leading zeros, no empty lines, a canonical 32-byte root. Everything else is `invalid_input`. */
export function parseCheckpointText(text: string): Result<Checkpoint> {
  if (!isNoteText(text)) return fail('invalid_input', 'The checkpoint does not end in a newline, or holds control characters.');
  const [origin, sizeText, rootText, ...extensions] = text.slice(0, -1).split('\n');
  if (!origin || sizeText === undefined || rootText === undefined || extensions.includes('')) {
    return fail('invalid_input', 'The checkpoint lacks a line, or has an empty one.');
  }
  const size = Number(sizeText);
  if (!/^(?:0|[1-9][0-9]*)$/.test(sizeText) || !Number.isSafeInteger(size)) {
    return fail('invalid_input', 'The checkpoint’s size is not an exact decimal number.');
  }
  const root = fromBase64(rootText);
  if (root?.length !== 32) return fail('invalid_input', 'The checkpoint’s root is not 32 bytes of base64.');
  return ok({ origin, size, root, extensions });
}
