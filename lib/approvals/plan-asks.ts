import type { Timestamp } from '@/lib/shared/timestamp';

/** A field of a deferral and one source that could supply it. */
export type AskableField = { readonly subject: string; readonly name: string; readonly source: string };

export type PastAttempt = AskableField & {
  /** From 1. */
  readonly attempt: number;
  readonly asked_at: Timestamp;
  readonly answered_at: Timestamp | null;
  readonly outcome: 'supplied' | 'unavailable' | 'failed' | null;
};

export type AskPlan<Attempt extends PastAttempt = PastAttempt> = {
  /** To ask now. */
  readonly ask: readonly (AskableField & { readonly attempt: number })[];
  /** Without an answer although their time is over: whoever asked has died. They count as failed. */
  readonly interrupted: readonly Attempt[];
  /** When to look again; null: nothing is left to ask. */
  readonly next: Timestamp | null;
};

/**
 * Who is asked for what now: each source once, and again after a pause while it fails, three times at most. A field that one of
 * them supplied, or settled as unavailable, is not asked for again. Times are ISO 8601 UTC, pauses and the time to answer seconds.
 */
export function planAsks<Attempt extends PastAttempt>(
  wanted: readonly AskableField[],
  past: readonly Attempt[],
  now: Timestamp,
  { pausesS, answerWithinS }: { readonly pausesS: readonly number[]; readonly answerWithinS: number },
): AskPlan<Attempt> {
  const isOver = ({ asked_at }: PastAttempt): boolean => after(asked_at, answerWithinS) <= now;
  const open = past.filter(({ outcome }) => outcome === null);
  const interrupted = open.filter(isOver);
  const times = open.filter((attempt) => !isOver(attempt)).map(({ asked_at }) => after(asked_at, answerWithinS));
  const ask: (AskableField & { readonly attempt: number })[] = [];
  for (const field of wanted) {
    const before = past.filter((attempt) => isSameField(attempt, field));
    if (before.some(({ outcome }) => outcome === 'supplied' || outcome === 'unavailable')) continue;
    const own = before.filter(({ source }) => source === field.source);
    const last = own.at(-1);
    if (own.some((attempt) => attempt.outcome === null && !isOver(attempt))) continue;
    const pause = last === undefined ? 0 : pausesS[own.length - 1];
    if (own.length >= mostAttempts || pause === undefined) continue;
    const due = last === undefined ? now : after(last.answered_at ?? now, pause);
    if (due <= now) ask.push({ ...field, attempt: own.length + 1 });
    else times.push(due);
  }
  return { ask, interrupted, next: ask.length > 0 || times.length > 0 ? earliest(ask.length > 0 ? [...times, after(now, answerWithinS)] : times) : null };
}

export const mostAttempts = 3;

const isSameField = (a: AskableField, b: AskableField): boolean => a.subject === b.subject && a.name === b.name;

const after = (time: Timestamp, seconds: number): Timestamp => new Date(Date.parse(time) + seconds * 1000).toISOString();

const earliest = (times: readonly Timestamp[]): Timestamp | null => times.reduce<Timestamp | null>((first, time) => (first === null || time < first ? time : first), null);
