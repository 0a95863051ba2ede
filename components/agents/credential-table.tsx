'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { revokeCredential } from '@/app/actions/agents';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Table, Th } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { CredentialView } from '@/lib/contracts/console/agents';
import { isId } from '@/lib/shared/ids';

const states: { readonly [S in CredentialView['state']]: string } = { live: 'Live', expired: 'Expired', revoked: 'Revoked', not_in_roster: 'Not in the signed roster' };

interface CredentialTableProps {
  readonly credentials: readonly CredentialView[];
  readonly mayRevoke: boolean;
  /** More to do with one that is not revoked. */
  readonly actions?: ((credential: CredentialView) => ReactNode) | undefined;
}

/** Credentials by id: the tokens are stored nowhere, only their hashes. */
export function CredentialTable({ credentials, mayRevoke, actions }: CredentialTableProps) {
  const [asking, setAsking] = useState<CredentialView | null>(null);
  // On a phone there is room for what tells them apart: under an agent the id, among those that vouch what each is for.
  const [ofId, ofSubject] = credentials.every(({ kind }) => kind === 'agent') ? [undefined, 'not-phone'] : ['not-phone', undefined];
  return (
    <>
      <div className="scroll-x" tabIndex={0} role="group" aria-label="Credentials">
        <Table caption="Credentials">
          <thead><tr><Th className={ofId}>Credential</Th><Th className={ofSubject}>Kind</Th><Th className={ofSubject}>For</Th><Th>State</Th><Th>Expires</Th><Th><span className="vh">Change</span></Th></tr></thead>
          <tbody>
            {credentials.map((one) => (
              <tr key={one.id}>
                <td className={ofId}><code title={one.id}>{one.id.slice(0, 12)}…</code></td>
                <td className={ofSubject}>{one.kind.replaceAll('_', ' ')}</td>
                <td className={ofSubject}>{one.subject}</td>
                <td>{one.state === 'live' ? 'Live' : <b className={one.state === 'expired' ? undefined : 'bad'}>{states[one.state]}</b>}</td>
                <td><Time at={one.expires_at} form="date" /></td>
                <td className="right">
                  <span className="inline-flex gap-2">
                    {one.state === 'revoked' ? null : actions?.(one)}
                    {mayRevoke && one.state === 'live' ? <Button small onClick={() => setAsking(one)} aria-label={`Revoke ${one.id}`}>Revoke</Button> : null}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
      {asking === null ? null : <RevokeDialog credential={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

function RevokeDialog({ credential, onClose }: { readonly credential: CredentialView; readonly onClose: () => void }) {
  const client = useQueryClient();
  const revoking = useMutation({
    mutationFn: async () => {
      if (!isId('credential', credential.id)) throw new TypeError('The console named no credential.');
      return actionValue(await revokeCredential({ credential: credential.id }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.agents }),
    onSuccess: onClose,
  });
  const fault = refusalOf(revoking.error);
  return (
    <Dialog
      open busy={revoking.isPending} title={`Revoke this credential of ${credential.subject}?`} description="Its token stops working at once and for good."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="deny-solid" onClick={() => revoking.mutate()} offBecause={revoking.isPending ? 'Revoking' : undefined}>Revoke</Button></>}
    >
      <p className="meta2"><code>{credential.id}</code></p>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} The credential still works.</Band>}
    </Dialog>
  );
}
