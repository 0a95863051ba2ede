import type { ActionView } from '@/lib/contracts/plane/actions';
import type { ActionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { viewOfAction } from './action-view';
import { actorOf, type Caller } from './caller';
import { endWaiting } from './end-waiting';
import type { PlaneParts } from './plane-parts';

const attempts = 4;

/** The agent takes back what has not run yet. Failures: `not_found`, `conflict` (it has run, or ended already). */
export function actionWithdrawer(parts: PlaneParts) {
  const view = { approvals: parts.stores.approvals, content: parts.stores.content, reader: parts.reader, consoleUrl: parts.consoleUrl, sha256: parts.sha256 };
  return async (caller: Caller, id: ActionId): Promise<Result<ActionView>> => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const row = (await parts.stores.actions.find([id])).get(id);
      if (row?.agent !== caller.subject) return fail('not_found', 'There is no such action.');
      if (row.state === 'withdrawn') return ok(await viewOfAction(row, view, false));
      if (row.state !== 'held' && row.state !== 'deferred' && row.state !== 'permitted') {
        return fail('conflict', `Action ${id} is ${row.state}: nothing is left to withdraw.`);
      }
      const ending = { state: 'withdrawn', code: 'action_withdrawn', reason: 'The agent withdrew it.', by: actorOf(caller), cause: 'withdrawn' } as const;
      const outcome = await endWaiting(parts, row, ending, parts.clock.now());
      if (outcome.state === 'stale') continue;
      const ended = (await parts.stores.actions.find([id])).get(id);
      return ended ? ok(await viewOfAction(ended, view, false)) : fail('not_found', 'There is no such action.');
    }
    return fail('conflict', 'Somebody else is deciding this action right now.', { fix: 'Look at it again.' });
  };
}
