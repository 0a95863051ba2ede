import { fromBase64, fromUtf8, toBase64 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

/**
 * One receipt's proof of being in the log, checkable offline: its position, the path to the root, and the signed checkpoint.
 * Source: c2sp.org/tlog-proof.
 */
export type InclusionDocument = {
  /** Opaque and not authenticated; never empty. Countersign writes none. */
  readonly extra?: Uint8Array;
  readonly index: number;
  readonly path: readonly Uint8Array[];
  /** The checkpoint's signed note, verbatim. */
  readonly checkpoint: string;
};

const firstLine = 'c2sp.org/tlog-proof@v1';

/** No tree that can be counted exactly is higher. */
const maxPathLength = 53;
/** A note of the greatest length, the longest path, and as much beside it, in UTF-16 code units. */
const maxLength = 512 * 1024;

export function writeInclusionDocument({ extra, index, path, checkpoint }: InclusionDocument): string {
  const lines = [firstLine, ...(extra?.length ? [`extra ${toBase64(extra)}`] : []), `index ${index}`, ...path.map(toBase64)];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** Strict; the checkpoint is handed on unread. Everything that would be written differently is `invalid_input`. */
export function parseInclusionDocument(input: string | Uint8Array): Result<InclusionDocument> {
  if (input.length > maxLength) return fail('invalid_input', 'The proof is too long.');
  const text = typeof input === 'string' ? input : fromUtf8(input);
  if (!text?.isWellFormed()) return fail('invalid_input', 'The proof is not UTF-8.');
  const end = text.indexOf('\n\n');
  if (end < 0) return fail('invalid_input', 'The proof has no checkpoint.');
  const [first, ...lines] = text.slice(0, end).split('\n');
  if (first !== firstLine) return fail('invalid_input', `The proof does not begin with ${firstLine}.`);
  const extraText = lines[0]?.startsWith('extra ') ? lines.shift()?.slice('extra '.length) : undefined;
  const extra = extraText === undefined ? undefined : fromBase64(extraText);
  if (extraText !== undefined && !extra?.length) return fail('invalid_input', 'The proof’s extra data is empty or not canonical base64.');
  const indexText = /^index (0|[1-9][0-9]*)$/.exec(lines.shift() ?? '')?.[1];
  const index = Number(indexText);
  if (indexText === undefined || !Number.isSafeInteger(index)) return fail('invalid_input', 'The proof’s index is not an exact decimal number.');
  if (lines.length > maxPathLength) return fail('invalid_input', 'The proof is longer than any tree is high.');
  const path: Uint8Array[] = [];
  for (const line of lines) {
    const hash = fromBase64(line);
    if (hash?.length !== 32) return fail('invalid_input', 'A hash of the proof is not 32 bytes of base64.');
    path.push(hash);
  }
  return ok({ ...(extra ? { extra } : {}), index, path, checkpoint: text.slice(end + 2) });
}
