import type { CanonicalAction } from '@/lib/mediate/action';
import type { Impact } from '@/lib/mediate/catalogue';
import type { ActionId, SessionId } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';

/** What a further decision point is asked about: one action, as the mediator understood it, and what the session has come to. */
export type PointQuestion = {
  readonly action: {
    readonly id: ActionId;
    readonly tool: string;
    readonly operation: string;
    readonly parameters: JsonObject;
    readonly impact: Impact;
    readonly facts: CanonicalAction['facts'];
  };
  readonly session: { readonly id: SessionId; readonly human: string; readonly agent: string; readonly requests: readonly string[]; readonly labels: readonly string[] };
  /** ISO 8601, UTC. */
  readonly at: string;
};

/**
 * In XACML's words: Permit (which loosens nothing), Deny, or Indeterminate because it lacks something to judge by, which defers.
 * The cause is read by people and told to the agent, so it says nothing that an agent must not know.
 */
export type PointReply = { readonly answer: 'permit' | 'deny' | 'indeterminate'; readonly cause: string };

/**
 * One more link in the chain of those who decide. It answers from anywhere (this process, a file, a network); what it answers is
 * evidence and goes into the snapshot, so a decision is re-derived without asking it again. A fault, an answer that cannot be
 * read, and one that comes after the deadline deny.
 */
export type DecisionPoint = {
  /** Stands in snapshots and reasons; no two points of a process have the same. */
  readonly name: string;
  readonly deadlineMs: number;
  /** `late` is aborted at the deadline: nobody waits for the answer any more. */
  readonly ask: (question: PointQuestion, late: AbortSignal) => Promise<PointReply>;
};
