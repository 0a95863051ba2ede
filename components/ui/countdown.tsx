'use client';

import { useEffect, useRef, useState } from 'react';
import { BurnRule } from '@/components/ui/burn-rule';
import { countdownAnnouncement, countdownTone } from '@/lib/client/countdown';
import { formatCountdown, speakSpan } from '@/lib/client/format-time';
import { useNow } from '@/lib/client/use-now';

interface CountdownProps {
  /** When it ends, RFC 3339. */
  readonly deadline: string;
  /** When it began to wait, RFC 3339; with it the burning rule is drawn. */
  readonly since?: string;
  /** What happens at zero, as in "until it is denied". */
  readonly atZero: string;
  /** The server's clock minus this browser's, in milliseconds. */
  readonly offsetMs?: number;
  /** False while the console is not live: the figure stops and reads --:--, because this browser can no longer know. */
  readonly live?: boolean;
  /** `clock` is the head of a pane with its sentence and rule; `figure` is the digits alone, never announced. */
  readonly variant?: 'clock' | 'figure';
  readonly onZero?: () => void;
}

/**
 * Time left until an automatic denial. Announced at five minutes, one minute and zero, not every second. Reaching zero here changes nothing
 * by itself: the database's clock decides, and the page learns the outcome from it.
 */
export function Countdown({ deadline, since, atZero, offsetMs = 0, live = true, variant = 'clock', onZero }: CountdownProps) {
  const now = useNow();
  const leftMs = now === null || !live ? null : Date.parse(deadline) - (now + offsetMs);
  const said = useAnnouncement(leftMs, atZero, onZero);
  const digits = leftMs === null || Number.isNaN(leftMs) ? '--:--' : formatCountdown(leftMs);
  const tone = leftMs === null ? 'rest' : countdownTone(leftMs);
  if (variant === 'figure') return <span className="left" data-t={tone}>{digits}</span>;

  const over = leftMs !== null && leftMs <= 0;
  const spoken = leftMs === null ? 'Time left is unknown while not live' : over ? `Time ran out, ${atZero}` : `${speakSpan(leftMs)} until it is ${atZero}`;
  return (
    <div className="clock">
      <div role="timer" aria-label={spoken}>
        <p className="cd" data-t={tone} data-stopped={leftMs === null ? '' : undefined} aria-hidden>{digits}</p>
        <p className="clock-l" aria-hidden>{over ? `time ran out, ${atZero}` : live ? `until it is ${atZero}` : `not live, then ${atZero}`}</p>
      </div>
      {since === undefined || leftMs === null ? null : <BurnRule leftMs={leftMs} totalMs={Date.parse(deadline) - Date.parse(since)} tone={tone} />}
      <p className="vh" role="status">{said}</p>
    </div>
  );
}

/** Keeps the last announcement until the next mark, so that the live region changes only then. */
function useAnnouncement(leftMs: number | null, atZero: string, onZero: (() => void) | undefined): string {
  const before = useRef<number | null>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (leftMs === null) return;
    if (before.current !== null) {
      const next = countdownAnnouncement(before.current, leftMs, atZero);
      if (next !== null) setSaid(next);
      if (before.current > 0 && leftMs <= 0) onZero?.();
    }
    before.current = leftMs;
  }, [leftMs, atZero, onZero]);
  return said;
}
