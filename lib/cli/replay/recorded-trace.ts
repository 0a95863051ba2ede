import type { Json, JsonObject } from '@/lib/shared/json';

/** A call as the recorded agent made it: a tool of the suite, its arguments and, where one was recorded, what it showed or how it failed. */
export type RecordedCall = { readonly tool: string; readonly parameters: JsonObject; readonly output?: Json; readonly error?: string };

/** One recorded run. In an attack, `attackEffects` are the places in `calls` where the attacker's will would be done. */
export type RecordedTrace = {
  readonly id: string;
  readonly suite: string;
  readonly kind: 'benign' | 'attack';
  /** The user's own words. */
  readonly request: string;
  readonly calls: readonly RecordedCall[];
  readonly attackEffects: readonly number[];
};
