'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { withdraw } from '@/app/actions/approvals';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Countdown } from '@/components/ui/countdown';
import { Risk } from '@/components/ui/risk';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { waitsForWords } from '@/lib/client/deferral-words';
import { useLive } from '@/lib/client/live-provider';
import { queryKeys } from '@/lib/client/query-keys';
import type { DeferralItem } from '@/lib/contracts/console/deferrals';

/** One deferred action, for the person it is for: what it waits for, and that they can take it back. */
export function DeferredForMe({ item, offsetMs }: { readonly item: DeferralItem; readonly offsetMs: number }) {
  const client = useQueryClient();
  const live = useLive().state !== 'lost';
  const withdrawing = useMutation({
    mutationFn: async () => actionValue(await withdraw({ action: item.action })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.approvals }),
  });
  const fault = refusalOf(withdrawing.error);
  return (
    <article className="held-for-me" aria-label={item.title}>
      <div>
        <p><code><b>{item.title}</b></code> <Risk level={item.impact} suffix="impact" /></p>
        <p className="meta2">Asked by <UntrustedText text={item.agent} />. It waits: <UntrustedText text={waitsForWords(item)} />.</p>
      </div>
      <Countdown deadline={item.expires_at} since={item.deferred_at} atZero={item.at_timeout === 'DENY' ? 'denied' : 'put before a person'} offsetMs={offsetMs} live={live} />
      <Button onClick={() => withdrawing.mutate()} offBecause={withdrawing.isPending ? 'Withdrawing' : undefined} aria-label={`Withdraw ${item.title}`}>Withdraw</Button>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} It was not withdrawn.</Band>}
    </article>
  );
}
