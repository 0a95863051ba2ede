'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { suspendPerson } from '@/app/actions/people';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { PersonView } from '@/lib/contracts/console/people';

export function SuspendDialog({ person, onClose }: { readonly person: PersonView; readonly onClose: () => void }) {
  const client = useQueryClient();
  const suspending = useMutation({
    mutationFn: async () => actionValue(await suspendPerson({ person: person.id })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.people }),
    onSuccess: onClose,
  });
  const fault = refusalOf(suspending.error);
  return (
    <Dialog
      open busy={suspending.isPending} title={`Suspend ${person.name}?`} description="They are signed out at once, and their signatures stop counting."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="deny-solid" onClick={() => suspending.mutate()} offBecause={suspending.isPending ? 'Suspending' : undefined}>Suspend</Button></>}
    >
      <p className="meta2">Suspending needs no signature, because it only tightens.</p>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} They are not suspended.</Band>}
    </Dialog>
  );
}
