'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { Time } from '@/components/ui/time';

interface TokenDialogProps {
  readonly title: string;
  readonly token: string;
  readonly expiresAt: string | undefined;
  /** What the reader confirms. */
  readonly where: string;
  readonly after?: string | undefined;
  readonly onClose: () => void;
}

/** A token, this once. One cannot leave without saying that it is kept. */
export function TokenDialog({ title, token, expiresAt, where, after, onClose }: TokenDialogProps) {
  const [kept, setKept] = useState(false);
  return (
    <Dialog
      open busy={!kept} title={title} description="This is its token. It is shown this once; only its hash is stored."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<Button kind="primary" onClick={onClose} gatedBy={kept ? undefined : 'Confirm it first'}>Done</Button>}
    >
      <p className="code recovery-code" tabIndex={0}>{token}</p>
      <p className="mt-2"><CopyButton value={token} what="token" labelled /> {expiresAt === undefined ? null : <span className="meta">expires <Time at={expiresAt} form="date" /></span>}</p>
      {after === undefined ? null : <p className="meta2 mt-2">{after}</p>}
      <label className="mt-5 flex gap-3"><input className="check" type="checkbox" checked={kept} onChange={(event) => setKept(event.target.checked)} /><span>{where}</span></label>
    </Dialog>
  );
}
