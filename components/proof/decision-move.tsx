import { DecisionChip } from '@/components/ui/decision-chip';
import type { DecisionKind } from '@/components/ui/decision-kind';

/** From one decision to another. */
export function DecisionMove({ from, to }: { readonly from: DecisionKind; readonly to: DecisionKind }) {
  return <span className="move"><DecisionChip decision={from} /><span className="then" aria-hidden>→</span><span className="vh">becomes</span><DecisionChip decision={to} /></span>;
}
