const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long an instant stays worth telling as an age; older ones are told as a date. */
const agesForMs = 7 * day;

/** "3 min ago", or null once the instant is too old, or too far ahead, to be told as an age. */
export function formatAge(atMs: number, nowMs: number): string | null {
  const age = nowMs - atMs;
  if (age < -minute || age >= agesForMs) return null;
  if (age < 5 * second) return 'just now';
  if (age < minute) return `${Math.floor(age / second)} s ago`;
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < day) return `${Math.floor(age / hour)} h ago`;
  const days = Math.floor(age / day);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** "14:03:41" in the given zone, the viewer's when none is named. */
export function formatClock(atMs: number, timeZone?: string): string {
  return formatted(atMs, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }, timeZone);
}

/** "30 Nov 2026, 14:03" in the given zone, the viewer's when none is named. */
export function formatDate(atMs: number, timeZone?: string): string {
  return formatted(atMs, { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, timeZone);
}

/** "30 Nov 2026, 14:03:41 UTC": the one form that means the same to everybody. */
export function formatUtc(atMs: number): string {
  const options = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  return `${formatted(atMs, options, 'UTC')} UTC`;
}

/** "02:14" or "2:20:00": a span of time already past, such as a wait. */
export function formatSpan(ms: number): string {
  return formatCountdown(Math.max(0, ms));
}

/** "07:46", "3:40:00" from an hour up, "2 d 03:40:00" from a day up; never below zero. Rounds up, so that 00:00 is shown only once nothing is left. */
export function formatCountdown(leftMs: number): string {
  const total = Math.max(0, Math.ceil(leftMs / second));
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(total / 86_400);
  const hours = Math.floor((total % 86_400) / 3_600);
  const rest = `${two(Math.floor((total % 3_600) / 60))}:${two(total % 60)}`;
  if (days > 0) return `${days} d ${two(hours)}:${rest}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** "7 minutes 46 seconds", for a screen reader. */
export function speakSpan(leftMs: number): string {
  const total = Math.max(0, Math.ceil(leftMs / second));
  const parts = [
    plural(Math.floor(total / 86_400), 'day'),
    plural(Math.floor((total % 86_400) / 3_600), 'hour'),
    plural(Math.floor((total % 3_600) / 60), 'minute'),
    plural(total % 60, 'second'),
  ].filter((part) => part !== null);
  return parts.length === 0 ? '0 seconds' : parts.slice(0, 2).join(' ');
}

function plural(count: number, unit: string): string | null {
  if (count === 0) return null;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

function formatted(atMs: number, options: Intl.DateTimeFormatOptions, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-GB', timeZone === undefined ? options : { ...options, timeZone }).format(atMs);
}
