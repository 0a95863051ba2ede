import type { KeptTightened, TightenedMemory } from '@/lib/ports/tightened-memory';
import { ok } from '@/lib/shared/result';

/** A memory that lasts as long as its process, for one without a state directory: it reads the log from its beginning. */
export function memoryOfTightened(): TightenedMemory {
  let kept: KeptTightened | undefined;
  return {
    read: async () => ok(kept),
    keep: async (more) => {
      kept = more;
    },
  };
}
