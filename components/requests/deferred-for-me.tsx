'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { withdraw } from '@/app/actions/approvals';
import { isAnswerable, SupplyDialog, type AnswerableFact } from '@/components/signing/supply-dialog';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Countdown } from '@/components/ui/countdown';
import { Icon } from '@/components/ui/icon';
import { Risk } from '@/components/ui/risk';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { waitsForWords } from '@/lib/client/deferral-words';
import { useLive } from '@/lib/client/live-provider';
import { queryKeys } from '@/lib/client/query-keys';
import type { DeferralItem } from '@/lib/contracts/console/deferrals';
import type { PersonId } from '@/lib/shared/ids';

/** One deferred action, for the person it is for: what it waits for, what of it they can answer, and that they can take it back. */
export function DeferredForMe({ item, person, offsetMs }: { readonly item: DeferralItem; readonly person: PersonId; readonly offsetMs: number }) {
  const [open, setOpen] = useState<AnswerableFact | null>(null);
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const client = useQueryClient();
  const live = useLive().state !== 'lost';
  const withdrawing = useMutation({
    mutationFn: async () => actionValue(await withdraw({ action: item.action })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.approvals }),
  });
  const fault = refusalOf(withdrawing.error);
  const mine = item.missing.filter(isAnswerable).filter(({ field, subject }) => !answered.has(`${field} ${subject}`));
  return (
    <article className="held-for-me" aria-label={item.title}>
      <div>
        <p><code><b>{item.title}</b></code> <Risk level={item.impact} suffix="impact" /></p>
        <p className="meta2">Asked by <UntrustedText text={item.agent} />. It waits for: <UntrustedText text={waitsForWords(item)} />.</p>
      </div>
      <Countdown deadline={item.expires_at} since={item.deferred_at} atZero={item.at_timeout === 'DENY' ? 'denied' : 'put before a person'} offsetMs={offsetMs} live={live} />
      <Button onClick={() => withdrawing.mutate()} offBecause={withdrawing.isPending ? 'Withdrawing' : undefined} aria-label={`Withdraw ${item.title}`}>Withdraw</Button>
      {mine.length === 0 ? null : (
        <ul className="answers">
          {mine.map((fact) => (
            <li key={`${fact.field} ${fact.subject}`}>
              {item.question?.attribute === fact.attribute
                ? <span>{item.question.by_name} asks: “<UntrustedText text={item.question.text} />”</span>
                : <span>What is <b><UntrustedText text={fact.attribute} /></b> of <code><UntrustedText text={fact.subject} /></code>?</span>}
              <Button small onClick={() => setOpen(fact)} icon={<Icon name="key" small />} aria-label={item.question?.attribute === fact.attribute ? `Answer ${item.question.by_name}` : `Answer ${fact.attribute} of ${fact.subject}`}>Answer</Button>
            </li>
          ))}
        </ul>
      )}
      <p className="vh" role="status">{answered.size === 0 ? '' : 'Your answer is recorded. Policy decides again.'}</p>
      {open === null ? null : (
        <SupplyDialog
          item={item} fact={open} person={person} onClose={() => setOpen(null)}
          onSupplied={() => { setAnswered(new Set([...answered, `${open.field} ${open.subject}`])); setOpen(null); }}
        />
      )}
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} It was not withdrawn.</Band>}
    </article>
  );
}
