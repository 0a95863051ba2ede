'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { revokeKey } from '@/app/actions/keys';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Digest } from '@/components/ui/digest';
import { StatementList } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { forgetBrowserKey } from '@/lib/client/browser-keys';
import { queryKeys } from '@/lib/client/query-keys';
import type { PersonId } from '@/lib/shared/ids';

import { nameOf, type OwnKey } from './key-table';

/** Ends a key of one's own. It asks for no signature: who has lost a key could not give one. */
export function RevokeKeyDialog({ of, person, onClose }: { readonly of: OwnKey; readonly person: PersonId; readonly onClose: () => void }) {
  const client = useQueryClient();
  const waits = of.state === 'waiting';
  const revoking = useMutation({
    mutationFn: async () => {
      const done = actionValue(await revokeKey({ key: of.id }));
      // An owner's key still signs what owners sign.
      if (!done.still_owner) await forgetBrowserKey(of.id);
      return done;
    },
    onSuccess: async () => {
      await Promise.all([queryKeys.ownKeys, queryKeys.deviceKeys(person), queryKeys.enrolments, queryKeys.approvals, queryKeys.viewer].map((queryKey) => client.invalidateQueries({ queryKey })));
      onClose();
    },
  });
  const fault = refusalOf(revoking.error);
  const does = waits ? 'Withdraw the key' : 'Revoke the key';
  return (
    <Dialog
      open busy={revoking.isPending} title={waits ? 'Withdraw this key?' : 'Revoke this key for good?'}
      description={waits ? 'It has signed nothing, and an owner will not be asked about it any more.' : 'At once, everywhere, and for good. What it signed before stays signed; a vote on what still waits does not count any more.'}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="deny-solid" onClick={() => revoking.mutate()} offBecause={revoking.isPending ? 'Revoking' : undefined}>{does}</Button></>}
    >
      <StatementList lines={[
        { label: 'Key', value: <><UntrustedText text={nameOf(of)} /> <Digest value={of.id} length="short" /></> },
        ...(waits ? [] : [{ label: 'Then', value: 'It counts for no vote, fact or lowered label. A receipt says so, and every verifier reads it.' }]),
        ...(of.owner && !waits ? [{ label: 'But', value: 'The trust root lists it as an owner’s. It goes on signing policies, rosters and the root until owners sign a root without it.' }] : []),
        ...(of.kind === 'passkey' ? [{ label: 'Device', value: 'The passkey itself stays on your device. Delete it there when you no longer want to see it.' }] : []),
      ]} />
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} The key is as it was. {fault.fix}</Band>}
    </Dialog>
  );
}
