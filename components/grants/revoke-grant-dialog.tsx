'use client';

import { useId, useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, TextArea } from '@/components/ui/field';
import { refusalOf } from '@/lib/client/action-fault';
import type { GrantView } from '@/lib/contracts/console/grants';
import { isId } from '@/lib/shared/ids';

import { useGrants } from './use-grants';

/** Ends a grant at once, by one owner or admin, with a reason. */
export function RevokeGrantDialog({ grant, onClose }: { readonly grant: GrantView; readonly onClose: () => void }) {
  const form = useId();
  const [reason, setReason] = useState('');
  const { revoking } = useGrants();
  const fault = refusalOf(revoking.error);
  const { id, state } = grant;
  const waits = state === 'waiting';
  function revoke() {
    if (isId('grant', id) && reason.trim() !== '' && !revoking.isPending) revoking.mutate({ grant: id, reason: reason.trim() }, { onSuccess: onClose });
  }
  return (
    <Dialog
      open busy={revoking.isPending} title={waits ? 'Give this grant up?' : 'Revoke this grant?'}
      description={waits ? 'It gave nothing yet. Its signatures are void.' : 'Nothing runs on it any more, permits that are out included. It only tightens, so it takes no signature.'}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="deny-solid" type="submit" form={form} gatedBy={reason.trim() === '' ? 'Say why' : undefined} offBecause={revoking.isPending ? 'Revoking' : undefined}>{waits ? 'Give it up' : 'Revoke'}</Button></>}
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); revoke(); }}>
        <p className="meta2"><code>{id}</code></p>
        <Field label="Reason" hint="It goes into the receipt.">{(control) => <TextArea {...control} rows={2} maxLength={4000} value={reason} onChange={(event) => setReason(event.target.value)} />}</Field>
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} The grant still stands. {fault.fix}</Band>}
      </form>
    </Dialog>
  );
}
