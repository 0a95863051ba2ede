import type { Cast } from './replay-trace';
import type { RecordedTrace } from './recorded-trace';

/** A plane and credentials to play traces on. `castFor` deals out agents, so that one trace's waiting actions do not count against another's. */
export type ReplayStage = {
  readonly castFor: (trace: RecordedTrace, at: number) => Cast;
  readonly close: () => Promise<void>;
};
