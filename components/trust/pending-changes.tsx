'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { withdrawCeremony } from '@/app/actions/trust';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { DocumentOfChange, PendingTrustChange } from '@/lib/contracts/console/trust';
import { isDigest } from '@/lib/shared/ids';

import { changeWords } from './change-words';

interface PendingChangesProps {
  readonly pending: readonly PendingTrustChange[];
  readonly maySign: boolean;
  readonly onSign: (pending: PendingTrustChange) => void;
}

/** Changes that have some of the signatures they need. */
export function PendingChanges({ pending, maySign, onSign }: PendingChangesProps) {
  const client = useQueryClient();
  const withdrawing = useMutation({
    mutationFn: async (digest: string) => {
      if (!isDigest(digest)) throw new TypeError('The console named no change.');
      return actionValue(await withdrawCeremony({ digest }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.trust }),
  });
  const fault = refusalOf(withdrawing.error);
  if (pending.length === 0) return null;
  return (
    <Section title="Waiting for owners" note={`${pending.length}`}>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} It still waits.</Band>}
      <ul className="findings">
        {pending.map((one) => (
          <li key={one.digest}>
            <b>Trust root {one.version}: {changeWords(one.change)}</b>
            <span>
              <Signed name="Root" document={one.trust_root} /><Signed name="Roster" document={one.roster} /><Signed name="Policy" document={one.policy} />
              begun by {one.started_by}, <Time at={one.started_at} />
            </span>
            {maySign ? (
              <span className="flex gap-2">
                <Button small onClick={() => withdrawing.mutate(one.digest)} aria-label={`Withdraw trust root ${one.version}`}>Withdraw</Button>
                <Button small kind="primary" onClick={() => onSign(one)} icon={<Icon name="key" small />}>Look and sign</Button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Signed({ name, document }: { readonly name: string; readonly document: DocumentOfChange | null }) {
  if (document === null) return null;
  const { signed, needed } = document;
  return <>{name} {signed.length} of {needed}{signed.length === 0 ? '' : ` (${signed.map((one) => one.name).join(', ')})`}, </>;
}
