import type { ErrorCode } from '@/lib/shared/error-codes';

import { actorOf, type Caller } from './caller';
import type { PlaneParts } from './plane-parts';

/** Refused calls of one credential a minute; beyond, each is answered with `rate_limited`. */
const perMinute = 60;
const minuteMs = 60_000;

type Tally = { readonly caller: Caller; readonly from: string; readonly counts: Map<ErrorCode, number>; total: number };

/**
 * Counts refused calls per credential and writes one receipt a minute for each that had any. Calls without a live
 * credential make none: nobody could be named, and anybody could fill the log.
 */
export function refusedCalls(parts: Pick<PlaneParts, 'sign' | 'commits' | 'clock'>, onFault: (cause: unknown) => void) {
  let tallies = new Map<string, Tally>();
  const note = (caller: Caller, code: ErrorCode): boolean => {
    const tally = tallies.get(caller.credential) ?? { caller, from: parts.clock.now(), counts: new Map<ErrorCode, number>(), total: 0 };
    tallies.set(caller.credential, tally);
    tally.total++;
    tally.counts.set(code, (tally.counts.get(code) ?? 0) + 1);
    return tally.total > perMinute;
  };
  const flush = async (): Promise<void> => {
    const due = [...tallies.values()];
    tallies = new Map();
    const to = parts.clock.now();
    for (const { caller, from, counts } of due) {
      const receipt = await parts.sign('calls_refused', to, {
        by: actorOf(caller),
        from,
        to,
        counts: [...counts].map(([code, count]) => ({ code, count })),
      }, caller.kind === 'agent' ? { agent: caller.subject } : {});
      await parts.commits.submit({ epoch: null, session: null, action: null, receipts: [receipt], events: [] });
    }
  };
  const timer = setInterval(() => void flush().catch(onFault), minuteMs);
  timer.unref();
  return {
    note,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
