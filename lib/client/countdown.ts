import { speakSpan } from '@/lib/client/format-time';

/** How urgent a deadline looks: `soon` under five minutes, `last` under one, `over` at zero. */
export type CountdownTone = 'rest' | 'soon' | 'last' | 'over';

const marksMs = [300_000, 60_000, 0] as const;

export function countdownTone(leftMs: number): CountdownTone {
  if (leftMs <= 0) return 'over';
  if (leftMs < 60_000) return 'last';
  return leftMs < 300_000 ? 'soon' : 'rest';
}

/**
 * What to announce when the time left went from `beforeMs` to `nowMs`: at five minutes, one minute and zero, and nothing in between. A jump
 * over several marks (a laptop waking up) announces only the last of them, with the time that is really left.
 */
export function countdownAnnouncement(beforeMs: number, nowMs: number, atZero: string): string | null {
  const crossed = marksMs.filter((mark) => beforeMs > mark && nowMs <= mark);
  if (crossed.length === 0) return null;
  return nowMs <= 0 ? `Time ran out: ${atZero}.` : `${speakSpan(nowMs)} left until it is ${atZero}.`;
}

/** Share of the time still left, 0 to 100, for the burning rule. */
export function shareLeft(leftMs: number, totalMs: number): number {
  if (totalMs <= 0) return 0;
  return Math.min(100, Math.max(0, (leftMs / totalMs) * 100));
}
