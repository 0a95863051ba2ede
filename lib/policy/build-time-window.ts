import type { Predicate } from '@/lib/engine/predicate';
import type { TimeWindow } from '@/lib/engine/time-window';
import { timeZoneNames, timeZoneOf, type TimeZone } from '@/lib/engine/time-zones';
import { nearestNames } from '@/lib/mediate/nearest-names';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

import type { Diagnostics, Path } from './diagnostics';

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const keys = ['zone', 'days', 'dates', 'from', 'to'];
const example = '{ zone: Europe/Berlin, days: [mon-fri], from: "08:00", to: "18:00" }';
const never: Predicate = { is: 'any', of: [] };

/** One window, several of which one is enough, or `{ not: … }` for the time outside of them. */
export function buildTimeWindow(raw: Json, path: Path, diagnostics: Diagnostics): Predicate {
  if (isJsonObject(raw) && Object.hasOwn(raw, 'not')) {
    for (const key of Object.keys(raw)) if (key !== 'not') diagnostics.add([...path, key], 'not stands alone: it is for everything outside of the windows in it.', `Move ${key} into not.`);
    return { is: 'not', of: buildTimeWindow(raw.not ?? null, [...path, 'not'], diagnostics) };
  }
  const windows = isJsonArray(raw) ? raw : [raw];
  if (windows.length === 0) diagnostics.add(path, 'An empty list of windows never holds.', `Write one like ${example}.`);
  return { is: 'any', of: windows.map((window, i) => buildWindow(window, isJsonArray(raw) ? [...path, i] : path, diagnostics)) };
}

function buildWindow(raw: Json, path: Path, diagnostics: Diagnostics): Predicate {
  if (!isJsonObject(raw)) {
    diagnostics.add(path, 'Wanted a window of local time.', `Write it like ${example}.`);
    return never;
  }
  for (const key of Object.keys(raw)) {
    if (!keys.includes(key)) diagnostics.add([...path, key], `There is no key ${JSON.stringify(key)} here.`, `A window has ${keys.join(', ')}.`);
  }
  const before = diagnostics.found.length;
  const zone = zoneOf(raw, path, diagnostics);
  const window: TimeWindow = {
    days: daysOf(raw, path, diagnostics),
    dates: datesOf(raw, path, diagnostics),
    from: minuteOf(raw.from, [...path, 'from'], diagnostics) ?? 0,
    to: minuteOf(raw.to, [...path, 'to'], diagnostics) ?? 1440,
  };
  if (raw.days === undefined && raw.dates === undefined && raw.from === undefined && raw.to === undefined) diagnostics.add(path, 'A window that says no days, dates or times always holds.', `Write it like ${example}.`);
  if (window.from === window.to || window.from === 1440) diagnostics.add([...path, 'from'], 'The window ends when it begins.', 'Leave from and to out for whole days.');
  return zone && diagnostics.found.length === before ? { is: 'test', field: { of: 'time', zone }, test: { op: 'in_window', windows: [window] } } : never;
}

function zoneOf({ zone }: JsonObject, path: Path, diagnostics: Diagnostics): TimeZone | undefined {
  if (typeof zone === 'string') {
    const found = timeZoneOf(zone);
    if (found) return found;
    const [near] = nearestNames(zone, timeZoneNames);
    diagnostics.add([...path, 'zone'], `There is no time zone ${JSON.stringify(zone)}.`, near === undefined ? 'Use an IANA name such as Europe/Berlin, Asia/Tokyo or UTC.' : `Did you mean ${near}?`);
  } else diagnostics.add(path, 'A window of time needs its zone; there is no zone that everybody lives in.', 'Add zone: with an IANA name such as Europe/Berlin, Asia/Tokyo or UTC.');
  return undefined;
}

function daysOf({ days }: JsonObject, path: Path, diagnostics: Diagnostics): readonly number[] | null {
  if (days === undefined) return null;
  const list = isJsonArray(days) ? days : [days];
  const found = list.flatMap((day, i) => {
    const numbers = typeof day === 'string' ? dayRange(day.toLowerCase()) : [];
    if (numbers.length === 0) diagnostics.add([...path, 'days', ...(isJsonArray(days) ? [i] : [])], `There is no day ${JSON.stringify(day)}.`, `Use ${weekdays.join(', ')}, or a range such as mon-fri.`);
    return numbers;
  });
  if (list.length === 0) diagnostics.add([...path, 'days'], 'An empty list of days never holds.', 'Name at least one day, or leave days out.');
  return [...new Set(found)].sort((a, b) => a - b);
}

/** `mon` → 1; `sat-mon` → 6, 0, 1; empty for anything else. */
function dayRange(text: string): readonly number[] {
  const [first = '', last = first, ...rest] = text.split('-');
  const [begins, ends] = [weekdays.indexOf(first), weekdays.indexOf(last)];
  if (begins < 0 || ends < 0 || rest.length > 0) return [];
  return Array.from({ length: ((ends - begins + 7) % 7) + 1 }, (_, i) => (begins + i) % 7);
}

function datesOf({ dates }: JsonObject, path: Path, diagnostics: Diagnostics): readonly string[] | null {
  if (dates === undefined) return null;
  const list = isJsonArray(dates) ? dates : [dates];
  if (list.length === 0) diagnostics.add([...path, 'dates'], 'An empty list of dates never holds.', 'Name at least one date, or leave dates out.');
  return list.flatMap((date, i) => {
    if (typeof date === 'string' && isDate(date)) return [date];
    diagnostics.add([...path, 'dates', ...(isJsonArray(dates) ? [i] : [])], `There is no date ${JSON.stringify(date)}.`, 'Write it like 2030-12-24.');
    return [];
  });
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00.000Z`)) && new Date(`${text}T00:00:00.000Z`).toISOString().startsWith(text);

/** `08:30` → 510; `24:00` is the end of the day. */
function minuteOf(raw: Json | undefined, path: Path, diagnostics: Diagnostics): number | undefined {
  if (raw === undefined) return undefined;
  const match = typeof raw === 'string' ? /^(\d\d):(\d\d)$/.exec(raw) : null;
  const minute = match ? Number(match[1]) * 60 + Number(match[2]) : Number.NaN;
  if (match && Number(match[2]) < 60 && minute <= 1440) return minute;
  diagnostics.add(path, `There is no time of day ${JSON.stringify(raw)}.`, 'Write it like "08:30", from "00:00" to "24:00".');
  return undefined;
}
