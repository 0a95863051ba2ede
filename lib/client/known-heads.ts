import { parsePin } from '@/lib/authority/parse-pin';
import { parseCheckpoint } from '@/lib/ledger/checkpoint';
import { fromHex } from '@/lib/shared/encoding';
import type { KnownHead } from '@/lib/verify/check-tree';

export type KnownHeads = { readonly heads: readonly KnownHead[]; /** Why a part of the text was not understood. */ readonly fault: string | null };

/**
 * Tree heads that a reader kept: signed notes as checkpoints are exported, one after another or one a line as JSON strings, and pins. The
 * reader vouches for them, so their signatures are not asked for. Nothing that looks like one and is not is passed over in silence.
 */
export function readKnownHeads(text: string): KnownHeads {
  const heads: KnownHead[] = [];
  const faults: string[] = [];
  for (const part of partsOf(text)) {
    const head = headOf(part);
    if (head) heads.push(head);
    else faults.push(part.slice(0, 40));
  }
  return { heads, fault: faults[0] === undefined ? null : `“${faults[0]}…” is neither a checkpoint nor a pin.` };
}

/** Notes begin with their origin; each pin or JSON string stands by itself. */
function partsOf(text: string): readonly string[] {
  const clean = text.replaceAll('\r\n', '\n').trim();
  if (clean === '') return [];
  const json = jsonOf(clean);
  if (json !== undefined) return [clean];
  const lines = clean.split('\n');
  if (lines.every((line) => line.trim() === '' || jsonOf(line) !== undefined)) return lines.filter((line) => line.trim() !== '');
  // A note is text, an empty line, and signature lines: the next note begins after the last of those.
  return clean.split(/(?<=^— [^\n]*\n)(?!— )/mu).map((note) => note.trim());
}

function headOf(part: string): KnownHead | undefined {
  const value = jsonOf(part);
  if (value === undefined) return noteHead(part);
  if (typeof value === 'string') return noteHead(value);
  if (typeof value === 'object' && value !== null) {
    const inner = 'checkpoint' in value ? value.checkpoint : 'note' in value ? value.note : undefined;
    if (typeof inner === 'string') return noteHead(inner);
  }
  const pin = parsePin(part);
  if (!pin.ok || pin.value.log === null) return undefined;
  const root = fromHex(pin.value.log.root);
  return root && { size: pin.value.log.size, root };
}

function noteHead(note: string): KnownHead | undefined {
  const checkpoint = parseCheckpoint(note.endsWith('\n') ? note : `${note}\n`);
  return checkpoint.ok ? { size: checkpoint.value.size, root: checkpoint.value.root } : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
