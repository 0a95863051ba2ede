import type { DecisionKind } from '@/lib/mediate/catalogue';

import type { RecordedTrace } from './recorded-trace';

/** What became of one recorded call. */
export type ReplayedCall = { readonly tool: string; readonly decision: DecisionKind; readonly code: string; readonly reason: string };

export type ReplayedTrace = {
  readonly trace: RecordedTrace;
  /** One for each recorded call, in order. */
  readonly calls: readonly ReplayedCall[];
  /** What a reader of the numbers should know: tools nobody knows, parameters that do not fit, calls that failed. */
  readonly surprises: readonly string[];
};
