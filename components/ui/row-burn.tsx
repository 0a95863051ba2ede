'use client';

import { BurnRule } from '@/components/ui/burn-rule';
import { countdownTone } from '@/lib/client/countdown';
import { useNow } from '@/lib/client/use-now';

interface RowBurnProps {
  readonly deadline: string;
  readonly since: string;
  readonly offsetMs?: number;
  readonly live?: boolean;
}

/** The burning rule under a queue row; absent until this browser knows the time, and while it is not live. */
export function RowBurn({ deadline, since, offsetMs = 0, live = true }: RowBurnProps) {
  const now = useNow();
  if (now === null || !live) return null;
  const leftMs = Date.parse(deadline) - (now + offsetMs);
  return <BurnRule leftMs={leftMs} totalMs={Date.parse(deadline) - Date.parse(since)} tone={countdownTone(leftMs)} />;
}
