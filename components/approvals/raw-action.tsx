import Link from 'next/link';

import { CopyButton } from '@/components/ui/copy-button';
import { Digest } from '@/components/ui/digest';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ApprovalDetail } from '@/lib/contracts/console/approvals';

/** The exact values behind everything above, to copy, and the receipts that were written so far. */
export function RawAction({ detail, readsReceipts }: { readonly detail: ApprovalDetail; readonly readsReceipts: boolean }) {
  const { held, receipts } = detail;
  // What the agent sees of it. The console's own cookie opens nothing at the plane.
  const call = `curl -H "Authorization: Bearer $AGENT_TOKEN" "$PLANE_URL/v1/actions/${detail.action.id}"`;
  const raw = JSON.stringify({ action: held.action, transformed: held.transformed?.parameters ?? null }, null, 2);
  return (
    <Section title="Receipts and exact values">
      <ul className="meta2 links">
        {receipts.map((receipt) => (
          <li key={receipt.id}>
            {readsReceipts ? <Link className="link" href={`/receipts?receipt=${receipt.id}`}>Receipt {receipt.index.toLocaleString('en')}</Link> : <b>Receipt {receipt.index.toLocaleString('en')}</b>} {receipt.kind.replaceAll('_', ' ')} <span className="t3"><Time at={receipt.at} form="clock" /></span>
          </li>
        ))}
      </ul>
      <p className="meta2">Request <code>{detail.id}</code><CopyButton value={detail.id} what="request id" /> Action <code>{detail.action.id}</code><CopyButton value={detail.action.id} what="action id" /> As cURL<CopyButton value={call} what="cURL" /></p>
      <p className="meta2">Basis <Digest value={detail.basis_digest} algorithm="sha256" copy /></p>
      <details>
        <summary className="link">Show a and a′ as JSON</summary>
        <p className="right"><CopyButton value={raw} what="JSON" labelled /></p>
        <pre className="code json" tabIndex={0}>{raw.split('\n').map((line, index) => <span className="l" key={index}><UntrustedText text={line} /></span>)}</pre>
      </details>
    </Section>
  );
}
