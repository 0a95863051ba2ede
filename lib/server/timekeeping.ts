import type { PlaneParts } from '@/lib/services/plane-parts';
import { issueApproved } from '@/lib/services/issue-approved';
import { endsRunOut } from '@/lib/services/proposals/end-run-out';
import { lookAgain, releaseDeferred } from '@/lib/services/release-deferred';
import { lookAtRequest } from '@/lib/services/redecide-held';
import { keepTime } from '@/lib/services/timekeeper';
import { isId } from '@/lib/shared/ids';

import type { Logger } from './logger';

/** How often time is kept when no event says that there is something to do, milliseconds. */
const roundMs = 1000;
/** Awaited actions that are kept in mind at most; the round finds the others. */
const mostAwaited = 10_000;
/** How often the pin follows the log, milliseconds. */
const pinMs = 5000;

/**
 * Runs the timekeeper once a second, and at once when a request was resolved or edited. A round that fails is logged and tried
 * again: until then nothing waits any longer than its own deadline, because every commit judges that by itself.
 */
export function timekeeping(parts: PlaneParts, logger: Logger): { readonly stop: () => Promise<void> } {
  let stopped = false;
  let lookedAt = performance.now();
  let running: Promise<void> = Promise.resolve();
  let awaited: ReadonlySet<string> = new Set();
  const endRunOut = endsRunOut(parts.proposing);
  const guarded = (what: string, work: () => Promise<void>): Promise<void> =>
    work().catch((cause: unknown) => logger.error(`${what} failed`, { cause }));
  const round = (): void => {
    if (stopped) return;
    running = guarded('following the log', async () => {
      await guarded('keeping time', () => keepTime(parts));
      await guarded('ending proposals', endRunOut);
      awaited = await parts.stores.approvals.awaitedActions(mostAwaited);
      // What no event told of, because the connection that listens was down, is known after a round all the same.
      if ((await parts.reader.head()).epoch !== (await parts.authority.current()).epoch) await parts.authority.refresh();
      if (performance.now() - lookedAt < pinMs) return;
      // Looking also moves the pin to what the log is now: the further it has got, the less of it can be cut off unseen.
      lookedAt = performance.now();
      await parts.authority.refresh();
    }).then(() => {
      timer = setTimeout(round, roundMs);
    });
  };
  let timer = setTimeout(round, 0);
  const stop = parts.events.subscribe(
    (event) => {
      if (event.kind === 'epoch_raised') void guarded('looking at the policy', async () => void (await parts.authority.refresh()));
      // What stands behind it need not wait for the next round.
      if (event.kind === 'action_changed' && awaited.has(event.id)) void guarded('releasing what was deferred', () => releaseDeferred(parts, mostAwaited));
      // A person lowered a label or supplied a fact, perhaps: what waits for it need not wait for the next round either.
      if (event.kind === 'session_changed') void guarded('looking at what a person changed', () => lookAgain(parts, mostAwaited));
      if (event.kind === 'approval_changed' && isId('approval', event.id)) {
        const id = event.id;
        void guarded('following a request', async () => {
          const approval = await parts.stores.approvals.find(id);
          if (approval?.state === 'approved') await issueApproved(parts, approval);
          if (approval?.state === 'pending' && approval.edit !== null) await lookAtRequest(parts, approval);
        });
      }
    },
    () => void guarded('looking at the policy', async () => void (await parts.authority.refresh())),
  );
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      stop();
      await running;
      clearTimeout(timer);
    },
  };
}
