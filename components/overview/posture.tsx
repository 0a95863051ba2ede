'use client';

import Link from 'next/link';

import { formatCountdown } from '@/lib/client/format-time';
import { useNow } from '@/lib/client/use-now';
import type { OverviewView } from '@/lib/contracts/console/overview';

/** One sentence: how many wait, and when the next one denies itself. */
export function Posture({ view, linked, offsetMs }: { readonly view: OverviewView; readonly linked: boolean; readonly offsetMs: number }) {
  const now = useNow();
  const { waiting, next_expiry: next } = view;
  if (waiting === 0 || next === null) return <><b>Nothing waits for a person.</b> {view.deferred === 0 ? 'Whatever agents propose is decided by policy.' : `${view.deferred} wait for facts.`}</>;
  const left = now === null ? null : Date.parse(next.expires_at) - (now + offsetMs);
  const words = left === null ? '--:--' : formatCountdown(left);
  return (
    <>
      <b>{waiting === 1 ? '1 action waits' : `${waiting.toLocaleString('en')} actions wait`} for a person.</b> The next one denies itself in{' '}
      {linked ? <Link className="link" href={`/approvals?item=${next.approval}`}><b className="num">{words}</b></Link> : <b className="num">{words}</b>}.
    </>
  );
}
