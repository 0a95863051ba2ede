'use client';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { StatementList } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { PreparedPolicy } from '@/lib/contracts/console/policies';

interface PolicySignDialogProps {
  readonly draft: { readonly text: string; readonly prepared: PreparedPolicy };
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly onSign: () => void;
  readonly onClose: () => void;
}

/** What an owner's signature on a policy says. */
export function PolicySignDialog({ draft: { text, prepared }, busy, fault, onSign, onClose }: PolicySignDialogProps) {
  return (
    <Dialog
      open sealed busy={busy} title="Sign this policy" description="From then on every action is decided by it. Permits that are out are decided again."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" onClick={onSign} offBecause={busy ? 'Signing' : undefined} icon={<Icon name="key" />}>Sign</Button></>}
    >
      <StatementList
        lines={[
          { label: 'Text', value: `${text.replace(/\n$/, '').split('\n').length.toLocaleString('en')} lines, exactly as written` },
          { label: 'Becomes', value: `revision ${prepared.revision}` },
          { label: 'Change', value: prepared.change.replaceAll('_', ' ') },
          { label: 'Digest', value: <Digest value={prepared.digest} /> },
        ]}
      />
      <details className="mt-2"><summary className="link">Read the revision statement</summary><pre className="code json" tabIndex={0}><span className="l"><UntrustedText text={prepared.policy_revision.text} /></span></pre></details>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} The policy in force is unchanged. {fault.fix}</Band>}
    </Dialog>
  );
}
