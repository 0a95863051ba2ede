import type { CanonicalAction } from '@/lib/mediate/action';
import type { Snapshot } from '@/lib/context/snapshot';

import type { CompiledPolicy } from './policy';

/** What predicates are held against: one action in one context under one policy at one time. */
export type Situation = {
  readonly action: CanonicalAction;
  readonly snapshot: Snapshot;
  readonly policy: CompiledPolicy;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
};
