import type { Digest, ReceiptId } from '@/lib/shared/ids';
import type { Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

/** A proven announcement of a recovery, as a process of this state directory first saw it. `seen_at` is that process's own clock. */
export type SeenRecovery = {
  readonly index: number;
  readonly receipt: ReceiptId;
  readonly digest: Digest;
  readonly version: number;
  /** Who announced it, by id. */
  readonly by: string;
  readonly announced_at: Timestamp;
  readonly seen_at: Timestamp;
  /** An owner's cancellation was seen. It stays, whatever the database shows later. */
  readonly cancelled: boolean;
};

/** Outside the database: what was seen of recoveries, and since when. What cannot be read is a failure, never "none". */
export type RecoveryMemory = {
  readonly read: () => Promise<Result<readonly SeenRecovery[]>>;
  /** Adds to what is there, durable before it returns. The earlier `seen_at` of an announcement stays, and so does `cancelled`. */
  readonly keep: (seen: readonly SeenRecovery[]) => Promise<void>;
};
