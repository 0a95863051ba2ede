import type { Call, Reply } from './call';

/**
 * A system under test, behind five calls. What it cannot do it answers with `unsupported`, which is counted and never taken for a
 * pass. `ask` rejects when an answer cannot be read, a failure of the case like any other, and with `AdapterGone` when there is no
 * system to ask any more.
 */
export type Adapter = {
  readonly name: string;
  /** How long what one call leads to may take to show in `state`, milliseconds: a system may settle what follows after it has answered. */
  readonly settleMs: number;
  readonly ask: (call: Call) => Promise<Reply>;
  readonly close: () => Promise<void>;
};

/** Nothing answers: the cases that are left would say nothing about the system. */
export class AdapterGone extends Error {
  override readonly name = 'AdapterGone';
}
