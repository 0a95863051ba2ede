'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { withdraw } from '@/app/actions/approvals';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Countdown } from '@/components/ui/countdown';
import { Ring } from '@/components/ui/ring';
import { Risk } from '@/components/ui/risk';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { ViewSentence } from '@/components/ui/view-sentence';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { useLive } from '@/lib/client/live-provider';
import { approvalDetailQuery } from '@/lib/client/queries';
import { queryKeys } from '@/lib/client/query-keys';
import type { QueueItem } from '@/lib/contracts/console/approvals';

/** One held action, for the person it is held for. `asks`: reads who can decide at once, instead of when the person wants to know. */
export function HeldForMe({ item, offsetMs, asks }: { readonly item: QueueItem; readonly offsetMs: number; readonly asks: boolean }) {
  const client = useQueryClient();
  const live = useLive().state !== 'lost';
  const [asked, setAsked] = useState(asks);
  const { data: detail } = useQuery({ ...approvalDetailQuery(item.id), enabled: asked });
  const withdrawing = useMutation({
    mutationFn: async () => actionValue(await withdraw({ action: item.action })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.approvals }),
  });
  const fault = refusalOf(withdrawing.error);
  const deciders = detail?.approvers.filter(({ excluded }) => !excluded).map(({ name }) => name);
  return (
    <article className="held-for-me" aria-label={item.title}>
      <div>
        <p><code><b>{item.title}</b></code> {item.subject.length === 0 ? null : <><span><ViewSentence parts={item.subject} /></span> </>}<Risk level={item.impact} suffix="impact" /> <Ring signed={item.quorum.given} of={item.quorum.needed} /></p>
        <p className="meta2">Asked by <UntrustedText text={item.agent} />. {!asked ? <button type="button" className="link" onClick={() => setAsked(true)}>Who can decide it?</button> : deciders === undefined ? null : deciders.length === 0 ? 'Nobody can decide it now.' : `${deciders.join(' or ')} can decide it.`}</p>
      </div>
      <Countdown deadline={item.expires_at} since={item.held_at} atZero="denied" offsetMs={offsetMs} live={live} />
      <Button onClick={() => withdrawing.mutate()} offBecause={withdrawing.isPending ? 'Withdrawing' : undefined} aria-label={`Withdraw ${item.title}`}>Withdraw</Button>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} It was not withdrawn.</Band>}
    </article>
  );
}
