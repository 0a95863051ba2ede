import type { Result } from '@/lib/shared/result';

/** A place outside the database that keeps checkpoints: a file, somebody else's server. */
export type CheckpointSink = {
  /** For people: `file`, `webhook`. */
  readonly name: string;
  /** The newest signed note that is known to have arrived there, also before this process began; null: none has. */
  readonly newest: () => Promise<Result<string | null>>;
  /**
   * Hands a note over. Ok: it arrived, or `later`: the place is being spared until then (ms), after failures. `final`: the process
   * ends, so one try is made all the same. Settles within the sink's own deadline.
   */
  readonly take: (note: string, nowMs: number, final: boolean) => Promise<Result<{ readonly kind: 'taken' } | { readonly kind: 'later'; readonly at: number }>>;
};
