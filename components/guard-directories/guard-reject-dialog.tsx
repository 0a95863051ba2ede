'use client';

import { useId, useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, TextArea } from '@/components/ui/field';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { GuardCard } from '@/lib/contracts/console/guard-directories';

interface GuardRejectDialogProps {
  readonly card: GuardCard;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly onReject: (reason: string) => void;
  readonly onClose: () => void;
}

/** Turns one down for good. It only tightens, so it needs no key. */
export function GuardRejectDialog({ card, busy, fault, onReject, onClose }: GuardRejectDialogProps) {
  const form = useId();
  const [reason, setReason] = useState('');
  const gate = reason.trim() === '' ? 'Say why' : undefined;
  return (
    <Dialog
      open busy={busy} title="Reject this proposal" description={`It stays, with your reason, here and in ${card.directory}. The same file is never taken up again.`}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="deny-solid" type="submit" form={form} gatedBy={gate} offBecause={busy ? 'Rejecting' : undefined}>Reject</Button></>}
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); if (!busy && gate === undefined) onReject(reason.trim()); }}>
        <Field label="Reason" hint="The agent’s user can read it in the directory.">{(control) => <TextArea {...control} maxLength={4096} value={reason} onChange={(event) => setReason(event.target.value)} />}</Field>
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} It still waits. {fault.fix}</Band>}
      </form>
    </Dialog>
  );
}
