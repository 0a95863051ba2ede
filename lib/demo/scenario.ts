import type { ActionView } from '@/lib/contracts/plane/actions';
import type { Attribute } from '@/lib/pep/sdk/plane-client';
import type { JsonObject } from '@/lib/shared/json';

import type { DemoAgent } from './demo-agents';

/** What an agent tries, and what the demo's policy is meant to make of it when it is proposed. */
export type Attempt = {
  /** `tool.operation` of the catalogue. */
  readonly does: string;
  readonly parameters: JsonObject;
  /** The agent's own words. */
  readonly reason: string;
  readonly meant: ActionView['decision'];
  /** Policy narrows it: the answer holds a′ beside what was asked. */
  readonly narrowed?: true;
  /** What the desk finds out about it after a while, when it waits for a fact. */
  readonly answer?: { readonly afterMs: number; readonly attributes: readonly Attribute[] };
};

export type Scenario = {
  readonly id: string;
  readonly agent: DemoAgent;
  /** The requester's words, recorded by the desk. */
  readonly request: string;
  /** What the desk knows from the start. */
  readonly known?: readonly Attribute[];
  /** In order; one that is denied does not keep the agent from trying the next. */
  readonly attempts: readonly Attempt[];
};

/** A scenario for its n-th time, n from 1: numbers in it may go with n, so that no two weeks look the same. */
export type ScenarioMaker = (round: number) => Scenario;
