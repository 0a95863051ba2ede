'use client';

import { formatAge, formatClock, formatDate, formatUtc } from '@/lib/client/format-time';
import { useNow } from '@/lib/client/use-now';

interface TimeProps {
  /** The instant, RFC 3339. */
  readonly at: string;
  /** `age` is relative for a week, then a date; `clock` is the time of day; `date` is day and time. All in the viewer's zone. */
  readonly form?: 'age' | 'clock' | 'date';
  /** Difference of the server's clock to this browser's, in milliseconds, where known. */
  readonly offsetMs?: number;
  /** Off inside links and buttons, whose focus it must not split; UTC then shows on hover only. */
  readonly focusable?: boolean;
  readonly className?: string;
}

/** An instant. UTC appears on hover and on focus; until the browser's clock is known it is shown in UTC, so that nothing is guessed. */
export function Time({ at, form = 'age', offsetMs = 0, focusable = true, className }: TimeProps) {
  const now = useNow();
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return <span className="t3">unknown time</span>;
  const utc = formatUtc(atMs);
  const classes = ['time', focusable ? 'time-tip' : '', className ?? ''].filter(Boolean).join(' ');
  return (
    <time className={classes} dateTime={at} {...(focusable ? { tabIndex: 0, 'data-utc': utc } : { title: utc })}>
      {now === null ? shownBeforeHydration(atMs, form) : shown(atMs, form, now + offsetMs)}
      {focusable ? <span className="vh"> ({utc})</span> : null}
    </time>
  );
}

function shown(atMs: number, form: 'age' | 'clock' | 'date', nowMs: number): string {
  if (form === 'clock') return formatClock(atMs);
  return form === 'date' ? formatDate(atMs) : (formatAge(atMs, nowMs) ?? formatDate(atMs));
}

function shownBeforeHydration(atMs: number, form: 'age' | 'clock' | 'date'): string {
  return form === 'clock' ? `${formatClock(atMs, 'UTC')}Z` : `${formatDate(atMs, 'UTC')} UTC`;
}
