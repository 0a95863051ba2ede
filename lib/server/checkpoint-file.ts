import type { CheckpointSink } from '@/lib/ports/checkpoint-sink';
import { fail, ok } from '@/lib/shared/result';

import { readIfThere, writeWhole } from './whole-file';

/**
 * A file that always holds the newest checkpoint, whole: a crash leaves the old one or the new one. Replacing it loses nothing, because
 * what replaces is proved to go on from what it replaces; whoever wants all of them collects the file. Readable by all: it is no secret.
 */
export const checkpointFile = (file: string): CheckpointSink => ({
  name: 'file',
  newest: async () => {
    try {
      return ok((await readIfThere(file)) ?? null);
    } catch (cause) {
      return fail('unavailable', `The checkpoint file cannot be read${codeOf(cause)}.`, { cause });
    }
  },
  take: async (note) => {
    try {
      await writeWhole(file, note, 0o644);
      return ok({ kind: 'taken' });
    } catch (cause) {
      return fail('unavailable', `The checkpoint file cannot be written${codeOf(cause)}.`, { cause });
    }
  },
});

/** Health is shown to everybody: it says what is wrong, and not where this machine keeps its files. */
const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '');
