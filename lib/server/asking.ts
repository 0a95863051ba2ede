import { askInformationPoints } from '@/lib/services/ask-information-points';
import type { PlaneParts } from '@/lib/services/plane-parts';

import type { Logger } from './logger';

/** How often it is looked whether somebody is to be asked, milliseconds. */
const roundMs = 1000;
/** Deferrals that are asked for at once: bounds connections, and how much a slow information point holds. */
const atOnce = 16;

/** Asks information points beside keeping time: one that is slow to answer keeps nothing from expiring. */
export function asking(parts: PlaneParts, logger: Logger): { readonly stop: () => Promise<void> } {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const round = (): void => {
    if (stopped) return;
    running = askInformationPoints(parts, atOnce)
      .then(
        (asked) => (asked === atOnce ? 0 : roundMs),
        (cause: unknown) => {
          logger.error('asking information points failed', { cause });
          return roundMs;
        },
      )
      .then((pauseMs) => {
        timer = setTimeout(round, pauseMs);
      });
  };
  let timer = setTimeout(round, 0);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
