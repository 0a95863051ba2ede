'use client';

import type { ReactNode } from 'react';

import { Band, NotLive } from '@/components/ui/band';
import { Time } from '@/components/ui/time';
import { channelWords } from '@/lib/client/channel-words';
import { formatSpan } from '@/lib/client/format-time';
import { useLive } from '@/lib/client/live-provider';
import { useNow } from '@/lib/client/use-now';
import { RecoveryBand } from './recovery-band';
import { SwitchBand } from './switch-band';
import type { ConsoleStatus } from '@/lib/contracts/console/overview';

/** A moment without events (a restart, a laptop waking up) is not worth a band. */
const patienceMs = 4_000;
/** Bands of switches at most: beyond it one says how many more. */
const mostSwitches = 3;

/** What stands over every page: why everything is denied, a refused policy, thrown switches, not being live. Undefined: nothing does. */
export function useStatusNotices(status: ConsoleStatus | undefined, may: { readonly cancelRecovery: boolean; readonly seeApprovals: boolean }): ReactNode | undefined {
  const live = useLive();
  const now = useNow();
  const lostMs = live.state === 'lost' && now !== null ? now - live.sinceMs : 0;
  const denied = status?.denied ?? null;
  const refused = status?.banners.policy_refused ?? null;
  const failing = may.seeApprovals ? (status?.banners.notices_failing ?? []) : [];
  const switches = status?.banners.switches ?? [];
  // The frame itself says that there is no signed policy.
  const bands = [
    denied === null || denied.code === 'policy_unsigned' ? null : <Band key="denied" tone="deny" icon="denied" role="note" full title={`${denied.title}: every action is denied.`}>{denied.detail} <code>{denied.because ?? denied.code}</code></Band>,
    refused === null ? null : <Band key="refused" tone="warn" role="note" full title="A newer policy was refused; the last good one goes on.">{refused.detail} <code>{refused.code}</code></Band>,
    ...(status?.banners.recoveries ?? []).map((one) => <RecoveryBand key={one.digest} recovery={one} owners={status?.banners.owners ?? []} mayCancel={may.cancelRecovery} />),
    ...switches.slice(0, mostSwitches).map((one) => <SwitchBand key={`${one.scope} ${one.subject}`} thrown={one} owners={status?.banners.owners ?? []} />),
    switches.length <= mostSwitches ? null : <Band key="switches" tone="deny" icon="denied" role="note" full title={`${switches.length - mostSwitches} more kill switches are thrown.`}>They are listed under Agents.</Band>,
    failing.length === 0 ? null : <Band key="notices" tone="warn" role="note" full title={`Notifications are failing: ${failing.map(({ channel }) => channelWords[channel]).join(', ')}.`}>Since <Time at={failing[0]?.since ?? ''} form="date" />. Held requests wait here all the same; an admin finds the cause under Settings.</Band>,
    lostMs > patienceMs ? <NotLive key="live" ageWords={formatSpan(lostMs)} /> : null,
  ].filter((band) => band !== null);
  return bands.length === 0 ? undefined : bands;
}
