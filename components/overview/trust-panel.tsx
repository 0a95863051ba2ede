import { Digest } from '@/components/ui/digest';
import { FactsList } from '@/components/ui/facts-list';
import { Panel } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { counted } from '@/lib/approvals/view-text';
import type { ConsoleStatus } from '@/lib/contracts/console/overview';

/** Under which policy actions are decided, and up to where the ledger is sealed. No seal: nothing was verified in this browser. */
export function TrustPanel({ status, receipts }: { readonly status: ConsoleStatus | undefined; readonly receipts: number }) {
  const policy = status?.policy ?? null;
  const checkpoint = status?.checkpoint ?? null;
  return (
    <Panel title="Policy and ledger" note={policy === null ? 'nothing in force' : `r${policy.revision}`} className="span-4">
      {policy === null ? <p className="meta2 mt-4"><b className="bad">No signed policy: every action is denied.</b></p> : null}
      <FactsList
        facts={[
          ...(policy === null ? [] : [
            { label: 'Signed by', value: policy.signers.join(', ') },
            { label: 'Signatures', value: `${policy.signers.length} of ${policy.needed} needed` },
            { label: 'Digest', value: <Digest value={policy.digest} length="tiny" /> },
          ]),
          { label: 'Receipts', value: receipts.toLocaleString('en') },
          { label: 'Checkpoint', value: checkpoint === null ? 'none yet' : <>{checkpoint.size.toLocaleString('en')}, <Time at={checkpoint.at} /></> },
          ...(checkpoint === null ? [] : [{ label: 'Since then', value: counted(Math.max(0, receipts - checkpoint.size), 'receipt') }]),
        ]}
      />
    </Panel>
  );
}
