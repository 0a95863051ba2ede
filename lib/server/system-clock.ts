import type { Clock } from '@/lib/ports/clock';

/** The host's clock. */
export const systemClock: Clock = { now: () => new Date().toISOString() };
