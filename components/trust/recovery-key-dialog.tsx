'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { LoadingRows } from '@/components/ui/pane-states';
import { downloadText } from '@/lib/client/download-text';
import { makeRecoveryKey } from '@/lib/client/recovery-key';
import type { PublicKeyEntry } from '@/lib/shared/keys';

interface RecoveryKeyDialogProps {
  readonly fingerprint: string;
  readonly onChange: (key: PublicKeyEntry) => void;
  readonly onClose: () => void;
}

/** A new recovery key, made here and shown this once. The old one loses its power when the change is in force. */
export function RecoveryKeyDialog({ fingerprint, onChange, onClose }: RecoveryKeyDialogProps) {
  const { data: made } = useQuery({ queryKey: ['new-recovery-key'], queryFn: makeRecoveryKey, staleTime: 'static', gcTime: 0 });
  const [kept, setKept] = useState(false);
  return (
    <Dialog
      open title="Replace the recovery key" description="Save the file or write the code down now: Countersign keeps no copy."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" onClick={() => { if (made) onChange(made.entry); }} gatedBy={made === undefined || !kept ? 'Confirm that it is saved' : undefined}>Go on to sign</Button></>}
    >
      {made === undefined ? <LoadingRows what="a new key" rows={2} /> : (
        <>
          <p className="code recovery-code" data-print tabIndex={0}>{made.code}</p>
          <p className="mt-4 flex flex-wrap items-center gap-2">
            <Button onClick={() => downloadText(`countersign-recovery-${fingerprint.slice(0, 8)}-${made.entry.id.slice(0, 8)}.pem`, made.pem, 'application/x-pem-file')}>Save as a file</Button>
            <CopyButton value={made.code} what="code" labelled />
          </p>
          <label className="mt-5 flex gap-3"><input className="check" type="checkbox" checked={kept} onChange={(event) => setKept(event.target.checked)} /><span>I have saved the file or written the code down, and it is not only on this device.</span></label>
        </>
      )}
    </Dialog>
  );
}
