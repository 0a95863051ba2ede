import type { Judged } from './judge-rule';
import type { Measure } from './measure-alignment';
import type { Baseline, Outcome } from './outcome';
import type { Missing } from './reading';

/** The answer of steps 1 to 7 about one action as it stands, with what is needed to explain it. */
export type Settled = {
  readonly outcome: Outcome;
  readonly missing: readonly Missing[];
  readonly baseline: Baseline;
  readonly measure: Measure;
  readonly judged: readonly Judged[];
};
