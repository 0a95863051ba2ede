import type { Tx } from '@/lib/ports/transaction';

import type { ConsoleParts } from './console-parts';

/** From this commit on whatever was decided before is decided again before it counts; every process hears of it at once. */
export async function raiseEpoch(parts: Pick<ConsoleParts, 'transactor' | 'events' | 'workspace'>, tx: Tx): Promise<void> {
  await parts.transactor.raiseEpoch(tx);
  await parts.events.publish(tx, [{ kind: 'epoch_raised', id: parts.workspace }, { kind: 'log_grew', id: parts.workspace }]);
}
