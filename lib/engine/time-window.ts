import { dayBefore, type LocalTime } from './local-time';

/**
 * A stretch of local time that comes again: on these days of the week (0 = Sunday) and dates, between two times of day. Null means
 * any. A window whose end is not after its beginning passes midnight and belongs to the day on which it begins.
 */
export type TimeWindow = {
  readonly days: readonly number[] | null;
  /** Local dates such as `2030-12-24`. */
  readonly dates: readonly string[] | null;
  /** Minutes since midnight; `to` is the first minute that is outside, at most 1440. */
  readonly from: number;
  readonly to: number;
};

/** True when the local time lies in the window. */
export function isInWindow({ days, dates, from, to }: TimeWindow, time: LocalTime): boolean {
  const begins = ({ date, weekday }: Pick<LocalTime, 'date' | 'weekday'>): boolean => (days?.includes(weekday) ?? true) && (dates?.includes(date) ?? true);
  if (from < to) return time.minute >= from && time.minute < to && begins(time);
  return (time.minute >= from && begins(time)) || (time.minute < to && begins(dayBefore(time)));
}
