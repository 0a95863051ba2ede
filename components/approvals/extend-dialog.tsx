'use client';

import { useId, useState } from 'react';

import { ItemTitle } from '@/components/held/item-title';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Digest } from '@/components/ui/digest';
import { Field, Select } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { StatementList } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { extensionBytes, type Extension } from '@/lib/approvals/extension';
import type { BrowserKey } from '@/lib/client/browser-keys';
import { formatUtc } from '@/lib/client/format-time';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { ApprovalDetail } from '@/lib/contracts/console/approvals';
import { fromUtf8 } from '@/lib/shared/encoding';

import { faultWords } from './fault-words';
import type { Extending } from './use-decide';

interface ExtendDialogProps {
  readonly detail: ApprovalDetail;
  readonly signer: BrowserKey;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly live: boolean;
  readonly onSign: (extending: Extending) => void;
  readonly onClose: () => void;
}

const minutes = [5, 15, 30, 60, 240];

/** Shows exactly what would be signed to move the end of a request. Mounted when it opens, so that its time is that of this look. */
export function ExtendDialog({ detail, signer, busy, fault, live, onSign, onClose }: ExtendDialogProps) {
  const form = useId();
  const { held, expires_at, ends_by } = detail;
  const [signedAt] = useState(() => new Date().toISOString());
  const ends = [...minutes.map((more) => new Date(Date.parse(expires_at) + more * 60_000).toISOString()).filter((end) => end < ends_by), ends_by];
  const [chosen, setChosen] = useState<string | null>(null);
  const until = ends.find((end) => end === chosen) ?? ends_by;
  const extension: Extension = { request: detail.id, basis_digest: detail.basis_digest, person: signer.person, expires_at: until };

  function sign() {
    if (!busy && live) onSign({ extension, at: signedAt, key: signer });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => { if (!open) onClose(); }}
      busy={busy}
      sealed
      title="Extend this request"
      description="It gives people more time to decide. Nothing is approved by it, and votes that were cast stay."
      footer={
        <>
          <Button onClick={onClose}>Back <kbd>Esc</kbd></Button>
          <Button kind="primary" type="submit" form={form} offBecause={busy ? 'Signing' : live ? undefined : 'Reconnecting'} icon={<Icon name="key" />}>
            {signer.entry.kind === 'passkey' ? 'Use my passkey' : 'Sign with this browser’s key'}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); sign(); }}>
        <Field label="New end" hint="Never more than twice the time that the request first had, or a day after the action was proposed.">
          {(control) => <Select {...control} value={until} onChange={(event) => setChosen(event.target.value)}>{ends.map((end) => <option key={end} value={end}>{formatUtc(Date.parse(end))}{end === ends_by ? ', the latest' : ''}</option>)}</Select>}
        </Field>
        <StatementList
          lines={[
            { label: 'I extend', value: <ItemTitle held={held} /> },
            { label: 'From', value: formatUtc(Date.parse(expires_at)) },
            { label: 'Until', value: formatUtc(Date.parse(until)) },
            { label: 'Basis', value: <Digest value={detail.basis_digest} /> },
          ]}
        />
        <details className="exact">
          <summary className="link">Read the exact bytes</summary>
          <pre className="code json" tabIndex={0}><span className="l"><UntrustedText text={fromUtf8(extensionBytes(extension, signedAt)) ?? ''} /></span></pre>
        </details>
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={faultWords(fault).title}>{faultWords(fault).rest}</Band>}
      </form>
    </Dialog>
  );
}
