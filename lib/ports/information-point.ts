import type { Json } from '@/lib/shared/json';

/** What is asked: an attribute of a subject (`owner` of `database:orders`), of the source that the policy lists for it. */
export type Question = { readonly source: string; readonly subject: string; readonly name: string };

/** `unavailable`: it settles that there is no such thing. `failed`: it did not answer, or not so that it can be read; in words of ours. */
export type Answer =
  | { readonly kind: 'supplied'; readonly value: Json; readonly observed_at?: string }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'failed'; readonly detail: string };

/** The information points that this process can ask by itself. Every other one supplies when it likes. */
export type InformationPoints = {
  /** As policies name them: `ip:records`. */
  readonly sources: ReadonlySet<string>;
  /** Settles by a deadline of its own, and never throws for what the other side does. */
  readonly ask: (question: Question) => Promise<Answer>;
  /** Seconds between an attempt that failed and the next one; as many attempts as there are pauses, and one. */
  readonly pausesS: readonly number[];
};

/** Seconds in which every question has settled, in this process or with it. */
export const answerWithinS = 15;

export const nobodyToAsk: InformationPoints = {
  sources: new Set(),
  ask: ({ source }) => Promise.resolve({ kind: 'failed', detail: `${source} cannot be asked.` }),
  pausesS: [],
};
