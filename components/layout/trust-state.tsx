import Link from 'next/link';
import { DecisionMark } from '@/components/ui/decision-mark';
import { Icon } from '@/components/ui/icon';
import { Ring } from '@/components/ui/ring';
import { Time } from '@/components/ui/time';

export interface PolicyState {
  readonly revision: number;
  /** Signatures it carries and signatures the roster asks for. */
  readonly signed: number;
  readonly of: number;
}

export interface CheckpointState {
  /** Receipts the newest signed checkpoint covers. */
  readonly size: number;
  /** RFC 3339. */
  readonly at: string;
}

interface TrustStateProps {
  /** null when no signed policy is in force: then every action is denied. */
  readonly policy: PolicyState | null;
  /** null before the first checkpoint. */
  readonly checkpoint: CheckpointState | null;
}

/** Under which signed policy decisions are made, and up to where the ledger is sealed. */
export function TrustState({ policy, checkpoint }: TrustStateProps) {
  return (
    <div className="trust" role="group" aria-label="Trust state">
      <Link href="/policies" className="trust-item">
        {policy === null
          ? <><DecisionMark decision="DENY" label={null} /><b className="bad">No signed policy</b></>
          : <><Ring signed={policy.signed} of={policy.of} wordless /><span>Policy <b className="num">r{policy.revision}</b></span><span className="trust-q">{policy.signed} of {policy.of} signed</span></>}
      </Link>
      {checkpoint === null ? null : (
        <Link href="/receipts" className="trust-item">
          <Icon name="ledger" /><span>Checkpoint <b className="num">{checkpoint.size.toLocaleString('en')}</b></span><span className="trust-q"><Time at={checkpoint.at} focusable={false} /></span>
        </Link>
      )}
    </div>
  );
}
