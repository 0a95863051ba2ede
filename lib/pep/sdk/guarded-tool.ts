import type { ActionView, RedeemView } from '@/lib/contracts/plane/actions';
import type { Json, JsonObject } from '@/lib/shared/json';

import type { PlaneClient } from './plane-client';
import type { Refusal } from './refusal';

/** A tool as its host runs it. `tool` and `operation` are the catalogue's own names, not an alias. */
export type Tool = {
  readonly tool: string;
  readonly operation: string;
  /** Kinds of obligation that this tool honours, such as `sandbox`. A permit that asks for any other is not run. */
  readonly honours?: readonly string[];
  /** Gets the parameters that the plane permitted, which need not be those that were proposed. What it throws is reported as failed. */
  readonly run: (parameters: JsonObject, permitted: RedeemView) => unknown;
};

export type GuardOptions = {
  /** With the agent's credential: proposes and waits. */
  readonly plane: PlaneClient;
  readonly session: string;
  /** With an enforcement point's credential, where the host can keep one from the agent; else what it reports stays untrusted. */
  readonly enforcement?: PlaneClient;
  /** Gives up waiting. What runs already runs to its end and is reported. */
  readonly signal?: AbortSignal;
  /** Told of the action as the plane first answers it, and after each round of waiting. */
  readonly onSeen?: (action: ActionView) => void;
  /** Length of one long poll, 60 at most. 50 when left out, so that proxies that cut at a minute do not. */
  readonly roundSeconds?: number;
  readonly pause?: (ms: number) => Promise<void>;
};

/** Nothing ran; or (`ran`) it did, and what it gave could not be taken through the plane. `code` is a plane's code or an `SdkCode`. */
export type Denied = {
  readonly outcome: 'denied';
  readonly code: string;
  readonly reason: string;
  readonly guidance?: string;
  readonly action?: ActionView['id'];
  readonly decision?: ActionView['decision'];
  readonly ran: boolean;
  readonly cause?: unknown;
};

/** The permitted action ran. `output` is what the plane's guards left of it: the only thing to hand to the agent. */
export type Ran = {
  readonly outcome: 'succeeded' | 'failed';
  readonly action: ActionView['id'];
  readonly executed: RedeemView['execute'];
  readonly output: Json;
  readonly labels: readonly string[];
};

export const deniedBy = ({ code, detail, cause }: Refusal, view?: ActionView, ran = false): Denied => ({
  outcome: 'denied',
  code,
  reason: detail,
  ran,
  ...(view ? { action: view.id, decision: view.decision } : {}),
  ...(cause === undefined ? {} : { cause }),
});
