import type { RecoveryMemory, SeenRecovery } from '@/lib/ports/recovery-memory';
import { ok } from '@/lib/shared/result';

import { joinedRecoveries } from './joined-recoveries';

/** A memory that lasts as long as its process: for one that has no state directory, or only looks. Its notice begins with its first look. */
export function memoryOfRecoveries(begun: readonly SeenRecovery[] = []): RecoveryMemory {
  let kept = begun;
  return {
    read: async () => ok(kept),
    keep: async (seen) => {
      kept = joinedRecoveries(kept, seen);
    },
  };
}
