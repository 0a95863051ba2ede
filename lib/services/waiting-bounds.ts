import type { PolicySettings } from '@/lib/engine/policy';
import type { ActionStore } from '@/lib/ports/action-store';
import type { SessionId } from '@/lib/shared/ids';

/** What may wait at once, and how much of one agent may be new within a minute. */
export type WaitingBounds = {
  readonly of: { readonly session: SessionId; readonly agent: string; readonly human: string; readonly since: string };
  readonly limits: PolicySettings['limits'];
};

/** Whether one more would be too many. */
export const isOver = (waiting: Awaited<ReturnType<ActionStore['countWaiting']>>, limits: WaitingBounds['limits']): boolean =>
  waiting.session >= limits.held_per_session ||
  waiting.agent >= limits.held_per_agent ||
  waiting.human >= limits.held_per_human ||
  waiting.agent_since >= limits.new_per_minute;

type Counts = Parameters<typeof isOver>[0];

/** The count with those that are written in the same commit and so are not in the database yet. */
export const withThoseBefore = (counted: Counts, { of }: WaitingBounds, before: readonly WaitingBounds[]): Counts => {
  const alike = (field: 'session' | 'agent' | 'human') => before.filter((other) => other.of[field] === of[field]).length;
  return {
    session: counted.session + alike('session'),
    agent: counted.agent + alike('agent'),
    human: counted.human + alike('human'),
    agent_since: counted.agent_since + alike('agent'),
  };
};
