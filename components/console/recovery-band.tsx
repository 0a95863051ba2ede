'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';

import { cancelRecovery } from '@/app/actions/trust';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { RecoveryView } from '@/lib/contracts/console/overview';
import { isDigest } from '@/lib/shared/ids';

/** An announced recovery, over every page for as long as it can be cancelled: who announced it, when it may take effect, who can cancel it. */
export function RecoveryBand({ recovery, owners, mayCancel }: { readonly recovery: RecoveryView; readonly owners: readonly string[]; readonly mayCancel: boolean }) {
  const client = useQueryClient();
  const { digest, version, by, announced_at, over_at } = recovery;
  const cancelling = useMutation({
    mutationFn: async () => {
      if (!isDigest(digest)) throw new TypeError('The console named no recovery.');
      return actionValue(await cancelRecovery({ digest }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.status }),
  });
  const fault = refusalOf(cancelling.error);
  return (
    <Band
      tone="deny" icon="key" role="note" full title={<>The recovery key is to replace the owners (trust root {version}).</>}
      action={mayCancel ? <Button small onClick={() => { if (!cancelling.isPending) cancelling.mutate(); }} aria-label={`Cancel it: the recovery to trust root ${version}`}>Cancel it</Button> : undefined}
    >
      <UntrustedText text={by} /> announced it <Time at={announced_at} form="age" />. It can take effect from <Time at={over_at} />, unless {owners.length === 0 ? 'an owner' : owners.join(' or ')} cancels it.{mayCancel ? <> <Link className="link" href="/settings/trust/recover">Look</Link></> : null}
      {fault === null ? null : <> <b role="alert">{fault.title}.</b> {fault.detail} It is not cancelled.</>}
    </Band>
  );
}
