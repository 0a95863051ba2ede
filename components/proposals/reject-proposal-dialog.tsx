'use client';

import { useId, useState, type KeyboardEvent } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { DecisionMark } from '@/components/ui/decision-mark';
import { Dialog } from '@/components/ui/dialog';
import { Field, TextArea } from '@/components/ui/field';
import type { ShownFault } from '@/lib/contracts/console/action-result';

interface RejectProposalDialogProps {
  readonly name: string;
  /** Who is told the reason: "agent policy-scribe". */
  readonly told: string;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly onReject: (reason: string) => void;
  readonly onClose: () => void;
}

/** Ends a proposal for good, with a reason. Needs no key. */
export function RejectProposalDialog({ name, told, busy, fault, onReject, onClose }: RejectProposalDialogProps) {
  const form = useId();
  const [text, setText] = useState('');
  const reason = text.trim();
  function reject() {
    if (!busy && reason !== '') onReject(reason);
  }
  function keys(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    reject();
  }
  return (
    <Dialog
      open busy={busy} title={`Reject ${name}`} description={`The policy stays as it is. ${told} is told the reason, and the proposal stays readable for ever.`}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={
        <>
          <Button onClick={onClose}>Back <kbd>Esc</kbd></Button>
          <Button kind="deny-solid" type="submit" form={form} gatedBy={reason === '' ? 'Say why' : undefined} offBecause={busy ? 'Rejecting' : undefined} icon={<DecisionMark decision="DENY" label={null} />}>Reject <kbd aria-hidden>Ctrl ↵</kbd></Button>
        </>
      }
    >
      <form id={form} onKeyDown={keys} onSubmit={(event) => { event.preventDefault(); reject(); }}>
        <Field label="Reason">{(control) => <TextArea {...control} rows={3} maxLength={4096} value={text} onChange={(event) => setText(event.target.value)} />}</Field>
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} {fault.fix}</Band>}
      </form>
    </Dialog>
  );
}
