import type { ChangeDay, TimeZone } from './time-zones';

/** What a clock and a calendar on the wall show. `minute` since midnight; `weekday` 0 is Sunday; `date` is `2030-06-03`. */
export type LocalTime = { readonly date: string; readonly minute: number; readonly weekday: number };

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The wall's time in a zone at an instant (milliseconds since 1970, UTC). Every instant has exactly one. */
export function localTime(zone: TimeZone, ms: number): LocalTime {
  const shifted = new Date(ms + offsetAt(zone, ms) * minuteMs);
  return {
    date: shifted.toISOString().slice(0, 10),
    minute: shifted.getUTCHours() * 60 + shifted.getUTCMinutes(),
    weekday: shifted.getUTCDay(),
  };
}

/** The calendar day before, in the same form. */
export const dayBefore = ({ date, weekday }: LocalTime): Pick<LocalTime, 'date' | 'weekday'> => ({
  date: new Date(Date.parse(`${date}T00:00:00.000Z`) - dayMs).toISOString().slice(0, 10),
  weekday: (weekday + 6) % 7,
});

/** Minutes east of UTC. Before the table begins, the oldest offset that it knows. */
export function offsetAt(zone: TimeZone, ms: number): number {
  const last = zone.changes.at(-1);
  if (last !== undefined && ms < last.at * minuteMs) {
    const next = zone.changes.findIndex(({ at }) => ms < at * minuteMs);
    return zone.changes[next - 1]?.offset ?? zone.before;
  }
  const { standard, summer } = zone;
  if (!summer) return standard;
  const year = new Date(ms + standard * minuteMs).getUTCFullYear();
  const starts = changeMs(year, summer.starts, standard);
  const ends = changeMs(year, summer.ends, summer.offset);
  // South of the equator summer lies around the turn of the year. So does winter where it is winter that is written as the exception.
  const isSummer = starts < ends ? ms >= starts && ms < ends : ms >= starts || ms < ends;
  return isSummer ? summer.offset : standard;
}

/** The instant at which clocks that show `offset` reach the change of that year. */
function changeMs(year: number, { month, week, weekday, minute }: ChangeDay, offset: number): number {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  let day = 1 + ((weekday - first.getUTCDay() + 7) % 7) + (week - 1) * 7;
  while (day > days) day -= 7;
  return Date.UTC(year, month - 1, day) + (minute - offset) * minuteMs;
}
