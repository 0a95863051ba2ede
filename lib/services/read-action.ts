import type { ActionView } from '@/lib/contracts/plane/actions';
import type { ActionRow } from '@/lib/ports/action-store';
import type { ActionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { viewOfAction } from './action-view';
import type { Caller } from './caller';
import { mayUseAction } from './may-use-action';
import type { PlaneParts } from './plane-parts';

/** Events get lost when a connection breaks: whoever waits also looks by itself this often, milliseconds. */
const lookEveryMs = 5000;

type ReadParts = Pick<PlaneParts, 'stores' | 'reader' | 'events' | 'consoleUrl' | 'sha256'>;

/** An action as it stands, at once or at its first change. Who may not know of it gets `not_found`. */
export function actionReader(parts: ReadParts) {
  const view = { approvals: parts.stores.approvals, content: parts.stores.content, reader: parts.reader, consoleUrl: parts.consoleUrl, sha256: parts.sha256 };
  const waiters = new Map<string, Set<() => void>>();
  const wake = (id: string) => waiters.get(id)?.forEach((look) => look());
  const stop = parts.events.subscribe(
    (event) => event.kind === 'action_changed' && wake(event.id),
    () => waiters.forEach((_, id) => wake(id)),
  );

  async function find(caller: Caller, id: ActionId): Promise<Result<ActionRow>> {
    const row = (await parts.stores.actions.find([id])).get(id);
    return row && mayUseAction(caller, row) ? ok(row) : fail('not_found', 'There is no such action.');
  }

  async function read(caller: Caller, id: ActionId): Promise<Result<ActionView>> {
    const row = await find(caller, id);
    return row.ok ? ok(await viewOfAction(row.value, view, caller.scopes.includes('explain'))) : row;
  }

  async function wait(caller: Caller, id: ActionId, seconds: number, signal: AbortSignal): Promise<Result<ActionView>> {
    const until = performance.now() + seconds * 1000;
    const before = await find(caller, id);
    if (!before.ok) return before;
    for (let row = before.value; isWaiting(row) && !signal.aborted; ) {
      const left = until - performance.now();
      if (left <= 0) break;
      await change(id, Math.min(left, lookEveryMs), signal);
      const now = await find(caller, id);
      if (!now.ok) return now;
      if (now.value.state !== before.value.state || now.value.receipt.id !== before.value.receipt.id) break;
      row = now.value;
    }
    return await read(caller, id);
  }

  /** Resolves at the next event about the action, after so long, or when the caller hangs up. */
  function change(id: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const all = waiters.get(id) ?? new Set();
      waiters.set(id, all);
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        all.delete(done);
        if (all.size === 0) waiters.delete(id);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
      all.add(done);
    });
  }

  return { read, wait, stop };
}

const isWaiting = ({ state }: ActionRow): boolean => state === 'held' || state === 'deferred';
