import type { Test } from '@/lib/engine/predicate';
import type { TimeZone } from '@/lib/engine/time-zones';
import { offsetAt } from '@/lib/engine/local-time';

import type { Option } from './context-options';
import { usualNow } from './draft';

const minuteMs = 60_000;
const dayMs = 86_400_000;

export type Clock = { readonly zone: TimeZone; readonly windows: Extract<Test, { op: 'in_window' }>['windows'] };

/**
 * Moments at which windows of time begin and end, and between: every day of a week in winter, one in summer and the weeks in which
 * clocks change somewhere and not yet elsewhere, and every date that is named with the days around it.
 */
export function timeOptions(clocks: readonly Clock[]): readonly Option[] {
  const minutes = new Set([0, 12 * 60]);
  const days = new Set<number>();
  for (const start of ['2030-01-07', '2030-03-11', '2030-03-25', '2030-04-08', '2030-06-03', '2030-09-30', '2030-10-28', '2030-11-04']) {
    for (let day = 0; day < 7; day++) days.add(Date.parse(`${start}T00:00:00.000Z`) + day * dayMs);
  }
  for (const { windows } of clocks) {
    for (const { from, to, dates } of windows) {
      for (const minute of [from, to]) for (const beside of [minute - 1, minute, minute + 1]) minutes.add((beside + 1440) % 1440);
      for (const date of dates ?? []) for (const around of [-1, 0, 1]) days.add(Date.parse(`${date}T00:00:00.000Z`) + around * dayMs);
    }
  }
  const moments = new Set([usualNow]);
  for (const day of days) {
    if (!Number.isFinite(day)) continue;
    for (const minute of minutes) for (const { zone } of clocks) moments.add(day + minute * minuteMs - offsetAt(zone, day) * minuteMs);
  }
  return [...moments].map((ms) => ({ words: new Date(ms).toISOString().replace(':00.000Z', 'Z'), put: (draft) => void (draft.nowMs = ms) }));
}
