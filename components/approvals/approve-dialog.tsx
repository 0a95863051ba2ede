'use client';

import { useQuery } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Select, TextArea } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { StatementList } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { approvalView } from '@/lib/approvals/view';
import { voteStatement } from '@/lib/approvals/vote-statement';
import type { BrowserKey } from '@/lib/client/browser-keys';
import { freshNonce } from '@/lib/client/fresh-nonce';
import { sha256 } from '@/lib/client/hash';
import { keyWords } from '@/lib/client/key-words';
import { ownKeysQuery } from '@/lib/client/queries';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isAtLeast } from '@/lib/shared/impact';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { ApprovalDetail } from '@/lib/contracts/console/approvals';

import { faultWords } from './fault-words';
import { statementLines } from './statement-lines';
import type { Signing } from './use-decide';

interface ApproveDialogProps {
  readonly detail: ApprovalDetail;
  /** Keys that may sign this here, the best first. */
  readonly signers: readonly [BrowserKey, ...BrowserKey[]];
  readonly ticked: ReadonlySet<string>;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly live: boolean;
  readonly onSign: (signing: Signing) => void;
  readonly onClose: () => void;
}

/** Shows exactly what would be signed. Mounted when it opens, so that nonce and time are those of this look. */
export function ApproveDialog({ detail, signers, ticked, busy, fault, live, onSign, onClose }: ApproveDialogProps) {
  const form = useId();
  const { held, quorum } = detail;
  const labels = useQuery(ownKeysQuery()).data?.labels ?? {};
  const [draft] = useState(() => ({ nonce: freshNonce(), signed_at: new Date().toISOString() }));
  const [reason, setReason] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const signer = signers.find(({ entry }) => entry.id === chosen) ?? signers[0];
  const needsReason = isAtLeast(held.impact, 'high');
  const view = approvalView(held);
  const statement = voteStatement(
    held,
    {
      verdict: 'approve',
      checks: view.checks.map(({ id }) => id).filter((id) => ticked.has(id)),
      voter: { person: signer.person, key: signer.entry.id, key_kind: signer.entry.kind },
      ...draft,
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    },
    sha256,
  );
  const gate = needsReason && reason.trim() === '' ? 'Reason needed' : undefined;
  const mine = quorum.given + 1;

  function sign() {
    if (busy || gate !== undefined || !live) return;
    onSign({ statement, key: signer });
  }
  function keys(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    sign();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => { if (!open) onClose(); }}
      busy={busy}
      sealed
      title="Sign this approval"
      description={`Yours is signature ${mine} of ${quorum.needed}. ${mine >= quorum.needed ? 'The agent may run it as soon as you sign.' : 'Nothing runs until the others have signed too.'}`}
      footer={
        <>
          <Button onClick={onClose}>Back <kbd>Esc</kbd></Button>
          <Button kind="primary" type="submit" form={form} gatedBy={gate} offBecause={busy ? 'Signing' : live ? undefined : 'Reconnecting'} icon={<Icon name="key" />}>
            {signer.entry.kind === 'passkey' ? 'Use my passkey' : 'Sign with this browser’s key'} <kbd aria-hidden>Ctrl ↵</kbd>
          </Button>
        </>
      }
    >
      <form id={form} onKeyDown={keys} onSubmit={(event) => { event.preventDefault(); sign(); }}>
        <StatementList lines={statementLines(held, view, statement, detail.expires_at)} />
        <Field label={needsReason ? 'Reason' : 'Reason, if you like'} hint={needsReason ? `${held.impact === 'critical' ? 'Critical' : 'High'} impact needs one. It is part of what you sign.` : 'It is part of what you sign.'}>
          {(control) => <TextArea {...control} rows={2} maxLength={4000} value={reason} onChange={(event) => setReason(event.target.value)} />}
        </Field>
        {signers.length > 1 ? (
          <Field label="Key">{(control) => <Select {...control} value={signer.entry.id} onChange={(event) => setChosen(event.target.value)}>{signers.map(({ entry }) => <option key={entry.id} value={entry.id}>{keyWords(entry.kind)} {labels[entry.id] ?? entry.id.slice(0, 8)}</option>)}</Select>}</Field>
        ) : null}
        <details className="exact">
          <summary className="link">Read the exact bytes</summary>
          <pre className="code json" tabIndex={0}><span className="l"><UntrustedText text={canonicalJson(asJson(statement))} /></span></pre>
        </details>
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={faultWords(fault).title}>{faultWords(fault).rest}</Band>}
      </form>
    </Dialog>
  );
}
