'use client';

import { useId, type KeyboardEvent, type ReactNode } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import type { ShownFault } from '@/lib/contracts/console/action-result';

interface SignDialogProps {
  readonly title: string;
  readonly description: string;
  /** "Sign and supply". */
  readonly does: string;
  /** What still stands in the way of signing. */
  readonly gate: string | undefined;
  readonly busy: boolean;
  readonly live: boolean;
  readonly fault: ShownFault | null;
  /** What did not happen when it is refused: "Nothing was lowered." */
  readonly nothing: string;
  readonly onSign: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form that ends in a signature: Ctrl and Enter sign inside it, no single key does. */
export function SignDialog({ title, description, does, gate, busy, live, fault, nothing, onSign, onClose, children }: SignDialogProps) {
  const form = useId();
  function sign() {
    if (!busy && live && gate === undefined) onSign();
  }
  function keys(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    sign();
  }
  return (
    <Dialog
      open sealed busy={busy} title={title} description={description}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={
        <>
          <Button onClick={onClose}>Back <kbd>Esc</kbd></Button>
          <Button kind="primary" type="submit" form={form} gatedBy={gate} offBecause={busy ? 'Signing' : live ? undefined : 'Reconnecting'} icon={<Icon name="key" />}>
            {does} <kbd aria-hidden>Ctrl ↵</kbd>
          </Button>
        </>
      }
    >
      <form id={form} onKeyDown={keys} onSubmit={(event) => { event.preventDefault(); sign(); }}>
        {children}
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} {nothing} {fault.fix}</Band>}
      </form>
    </Dialog>
  );
}
