import type { CheckpointExport } from '@/lib/services/checkpoint-export';
import type { CheckpointHealth } from '@/lib/services/checkpoint-health';
import type { Coverage } from '@/lib/services/cover-log';
import { isKeyNotDelegated } from '@/lib/ports/signer';

import type { Logger } from './logger';

/** How often the log is looked at for what no checkpoint covers yet, milliseconds. */
const coverMs = 1000;
/** A log that has been ahead of its checkpoints for this long is said to be behind, milliseconds. */
const graceMs = 5000;

export type Checkpointing = { readonly health: () => CheckpointHealth; readonly stop: () => Promise<void> };

/**
 * Covers the log and exports its checkpoints, beside everything else: a key service or a webhook that hangs delays the next round of
 * this loop, and nothing that decides. Every fault is logged when it begins and when it is over, and stands in the health.
 */
export function checkpointing(parts: {
  readonly cover: () => Promise<Coverage>;
  readonly exports: readonly CheckpointExport[];
  readonly logger: Logger;
  readonly now: () => number;
  readonly everyMs?: number;
}): Checkpointing {
  const { logger, now, everyMs = coverMs } = parts;
  let stopped = false;
  let coverage: Coverage = { size: 0, covered: 0 };
  let behindSince: number | null = null;
  let fault: string | null = null;

  const cover = async (): Promise<void> => {
    const before = fault;
    try {
      coverage = await parts.cover();
      fault = coverage.covered < coverage.size ? 'No key of this process may sign the tree head.' : null;
    } catch (cause) {
      fault = cause instanceof Error && (cause.name === 'SignerUnavailable' || isKeyNotDelegated(cause)) ? cause.message : 'The log could not be covered; see this process’s log.';
      if (before === null) logger.error('the log cannot be covered by a checkpoint', { cause });
    }
    if (fault === null) behindSince = null;
    else behindSince ??= now();
    if (before !== null && fault === null) logger.info('the log is covered by a checkpoint again', { size: coverage.size });
  };

  const report = (one: CheckpointExport, before: string | null): void => {
    const { fault: after, size } = one.state();
    if (before === null && after !== null) logger.error('a checkpoint could not be exported', { to: one.name, fault: after });
    if (before !== null && after === null) logger.info('checkpoints are exported again', { to: one.name, size });
  };
  const exportAll = async (final: boolean): Promise<void> => {
    await Promise.all(
      parts.exports.map(async (one) => {
        const before = one.state().fault;
        await one.round(now(), final);
        report(one, before);
      }),
    );
  };

  // Two loops: a key service that hangs must not keep finished checkpoints from being exported.
  const loop = (work: () => Promise<void>): (() => Promise<void>) => {
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    const round = (): void => {
      running = work().then(() => {
        if (!stopped) timer = setTimeout(round, everyMs);
      });
    };
    round();
    return async () => {
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    };
  };
  const ends = [loop(cover), loop(() => exportAll(false))];

  return {
    health: () => ({
      size: coverage.size,
      covered: coverage.covered,
      behind_since: behindSince === null || now() - behindSince < graceMs ? null : new Date(behindSince).toISOString(),
      fault,
      exports: parts.exports.map((one) => ({ to: one.name, ...one.state() })),
    }),
    stop: async () => {
      stopped = true;
      await Promise.all(ends.map((end) => end()));
      await cover();
      await exportAll(true);
    },
  };
}
