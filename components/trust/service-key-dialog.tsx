'use client';

import { useId, useState } from 'react';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import type { ServiceKeyChange } from '@/lib/authority/change-trust-root';
import type { ServiceKey } from '@/lib/authority/trust-root';
import { sha256 } from '@/lib/client/hash';
import { fromBase64, toBase64 } from '@/lib/shared/encoding';
import { keyIdOf } from '@/lib/shared/keys';

interface ServiceKeyDialogProps {
  readonly service: ServiceKey;
  readonly does: 'rotate' | 'revoke';
  /** Receipts in the log now. */
  readonly size: number;
  readonly onChange: (change: ServiceKeyChange) => void;
  readonly onClose: () => void;
}

/** Positions that both keys may sign after a rotation: long enough for every process to change over. */
const overlap = 10_000;

/** Gives a process's key a successor, or withdraws it from a position on. */
export function ServiceKeyDialog({ service, does, size, onChange, onClose }: ServiceKeyDialogProps) {
  const form = useId();
  const [draft, setDraft] = useState({ successor: '', from: String(size), until: String(size + overlap), lastGood: String(Math.max(0, size - 1)) });
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  const bytes = fromBase64(draft.successor.trim());
  const wrong = draft.successor.trim() !== '' && bytes?.length !== 32 ? 'Expected 32 bytes in base64, as the file keys/<process>.pub holds them.' : undefined;

  function done() {
    if (does === 'revoke') return onChange({ does, key: service.key.id, last_good: draft.lastGood.trim() === '' ? null : Number(draft.lastGood) });
    if (bytes?.length !== 32) return;
    onChange({ does, retired: service.key.id, successor: { id: keyIdOf(sha256, bytes), kind: 'file-ed25519', public_key: toBase64(bytes) }, from: Number(draft.from), until: Number(draft.until) });
  }
  return (
    <Dialog
      open title={does === 'rotate' ? `Rotate the key of the ${service.role}` : `Withdraw a key of the ${service.role}`}
      description={does === 'rotate' ? 'The successor signs from a position on, the old key up to another one. In between both may.' : 'What it signed behind the last good position counts no longer, whoever signed it. This cannot be taken back.'}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" type="submit" form={form} gatedBy={does === 'rotate' && bytes?.length !== 32 ? 'Key needed' : undefined}>Go on to sign</Button></>}
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); done(); }}>
        {does === 'rotate' ? (
          <>
            <Field label="Public key of the successor" hint={<><code>countersign trust rotate --service {service.role}</code> makes it where the process runs, and can sign this in one go.</>} error={wrong}>{(control) => <Input {...control} required value={draft.successor} onChange={(event) => set({ successor: event.target.value })} />}</Field>
            <Field label="It signs from position">{(control) => <Input {...control} type="number" min={0} required value={draft.from} onChange={(event) => set({ from: event.target.value })} />}</Field>
            <Field label="The old key signs up to position" hint={`The log has ${size.toLocaleString('en')} receipts now.`}>{(control) => <Input {...control} type="number" min={0} required value={draft.until} onChange={(event) => set({ until: event.target.value })} />}</Field>
          </>
        ) : (
          <Field label="Last good position" hint={`Empty: nothing that it ever signed counts. The log has ${size.toLocaleString('en')} receipts now.`}>{(control) => <Input {...control} type="number" min={0} value={draft.lastGood} onChange={(event) => set({ lastGood: event.target.value })} />}</Field>
        )}
      </form>
    </Dialog>
  );
}
