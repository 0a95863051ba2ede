import { followShadow, type RunShadow } from '@/lib/services/proof/shadow';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { fail } from '@/lib/shared/result';

import type { Logger } from './logger';
import { proofBounds, proofThreadFile, runInProofThread, type ProofBounds } from './proof-thread';

/** How often shadows look at what was decided, milliseconds. The plane is never asked and never waits: they read its receipts. */
const lookMs = 5_000;

export type Shadows = { readonly look: () => Promise<void>; readonly stop: () => Promise<void> };

/** Keeps shadows going for as long as the console runs, each step in a thread of its own. Where they are stands in the database, so a restart goes on from there. */
export function keepShadowing(parts: Parameters<typeof followShadow>[0] & Pick<ConsoleParts, 'shadows'>, logger: Logger, run?: RunShadow): Shadows {
  const stopAll = new AbortController();
  const step = run ?? shadowInThread(stopAll.signal);
  const report = (cause: unknown): void => logger.error('a shadow could not go on', { cause });
  let looking: Promise<void> | undefined;

  const followAll = async (): Promise<void> => {
    for (const { proposal } of await parts.shadows.running()) {
      for (let more = true; more && !stopAll.signal.aborted; ) {
        const row = await parts.shadows.find(proposal);
        if (!row || row.ended_at !== null) break;
        const done = await followShadow(parts, row, step);
        if (!done.ok) report(new Error(done.error.detail));
        more = done.ok && done.value;
      }
    }
  };
  const look = (): Promise<void> => {
    looking ??= followAll().catch(report).finally(() => (looking = undefined));
    return looking;
  };
  const timer = setInterval(() => void look(), lookMs);
  timer.unref();
  return {
    look,
    stop: async () => {
      clearInterval(timer);
      stopAll.abort();
      await looking;
    },
  };
}

/** A step in the bundled thread. */
export const shadowInThread =
  (signal: AbortSignal, file: URL = proofThreadFile(), bounds: ProofBounds = proofBounds): RunShadow =>
  async (work) => {
    const outcome = await runInProofThread(file, { kind: 'follow', work }, bounds, signal, () => undefined);
    if ('ended' in outcome) return fail('unavailable', outcome.ended.detail);
    const { answer } = outcome;
    if (answer.kind === 'followed') return answer.result;
    return fail('internal', answer.kind === 'failed' ? answer.message : 'It answered something else.');
  };
