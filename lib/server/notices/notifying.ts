import type { EventBus } from '@/lib/ports/event-bus';
import { deliverNotices } from '@/lib/services/notices/deliver-notices';
import type { DeliveryReport, NoticeParts } from '@/lib/services/notices/notice-parts';

import type { Logger } from '../logger';

/** How often it is looked for what is due when no event tells of it, milliseconds. */
const lookMs = 2_000;
/** How often notices that nobody takes are cleared away, milliseconds. */
const forgetMs = 3_600_000;

export type Notifying = {
  /** Spreads and delivers what is due now, and settles when that is done. */
  readonly look: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Tells people of held requests for as long as the console runs. What is to tell stands in the database, so any console may do it, and what one left when it
 * died is done by the next. Without a channel nothing goes out, and what was written for one is cleared away.
 */
export function keepNotifying(parts: Omit<NoticeParts, 'report'> & { readonly events: EventBus }, logger: Logger): Notifying {
  let stopped = false;
  let again = false;
  let working: Promise<void> | undefined;
  const report = (what: DeliveryReport): void => reportTo(logger, what);
  const round = async (): Promise<void> => {
    do {
      again = false;
      await deliverNotices({ ...parts, report }).catch((cause: unknown) => logger.error('people could not be told of held requests', { cause }));
    } while (again && !stopped);
  };
  const look = (): Promise<void> => {
    if (stopped) return Promise.resolve();
    // What is told while a round is under way may have come too late for it.
    if (working) again = true;
    working ??= round().finally(() => (working = undefined));
    return working;
  };
  const forget = (): void => void parts.notices.forgetOld().catch((cause: unknown) => logger.warn('old notices could not be cleared away', { cause }));
  const unsubscribe = parts.notifiers.length === 0 ? () => undefined : parts.events.subscribe(({ kind }) => {
    if (kind === 'approval_changed') void look();
  }, () => void look());
  const timers = [setInterval(() => void look(), lookMs), setInterval(forget, forgetMs)];
  for (const timer of timers) timer.unref();
  forget();
  return {
    look,
    stop: async () => {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      unsubscribe();
      await working;
    },
  };
}

function reportTo(logger: Logger, what: DeliveryReport): void {
  const where = { channel: what.at.channel, ...(what.at.recipient === null ? {} : { person: what.at.recipient }) };
  switch (what.kind) {
    case 'failing':
      return logger.error('people cannot be told of held requests', { ...where, fault: what.fault });
    case 'working_again':
      return logger.info('people are told of held requests again', where);
    case 'given_up':
      return logger.error('messages about held requests were given up', { ...where, count: what.count });
  }
}
