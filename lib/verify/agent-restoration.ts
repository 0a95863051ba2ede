import { statementPayload, statementTypes } from '@/lib/authority/owner-statements';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ActionId, ReceiptId } from '@/lib/shared/ids';

import { knowsAllBefore, ownersAt, type EventEvidence } from './event-evidence';
import { faultOfOwners, holdsDocument } from './signed-document';

type Restored = Pick<ReceiptPredicate<'credential_administered'>, 'subject' | 'envelope' | 'workspace'>;

/** Why a restoration of an agent does not count: it is an owner's word about exactly the suspension that it ends, so an old one never ends a later one. */
export async function faultOfRestoration({ subject, envelope, workspace }: Restored, suspended: ReceiptId, root: TrustRoot | undefined, cryptography: Cryptography): Promise<string | undefined> {
  if (!envelope) return 'An agent was restored without an owner’s signature.';
  if (!holdsDocument(envelope, statementTypes.agent_restoration, (at) => statementPayload('agent_restoration', workspace, { agent: subject, suspended }, at))) {
    return 'The owner restored another agent, or ended another suspension, than the receipt states.';
  }
  return faultOfOwners(envelope, root, 1, cryptography);
}

/** Walks the receipts in log order: nothing of a suspended agent gets a permit or uses one, until an owner's signature ends that suspension. */
export function suspendedAgents(evidence: EventEvidence): (body: ReceiptBody, index: number) => string | undefined | Promise<string | undefined> {
  const suspended = new Map<string, ReceiptId>();
  const agents = new Map<ActionId, string>();
  const acts = (agent: string | undefined): string | undefined => (agent !== undefined && suspended.has(agent) ? 'An agent was let through that was suspended.' : undefined);

  function change({ subject, change: does, receipt, ...told }: ReceiptPredicate<'credential_administered'>, index: number): string | undefined | Promise<string | undefined> {
    if (does === 'suspended') suspended.set(subject, receipt);
    if (does !== 'restored') return undefined;
    const before = suspended.get(subject);
    suspended.delete(subject);
    if (before !== undefined) return faultOfRestoration({ subject, ...told }, before, ownersAt(evidence, index), evidence.cryptography);
    return knowsAllBefore(evidence, index) ? 'An agent was restored that was not suspended.' : undefined;
  }

  return ({ kind, predicate }, index) => {
    switch (kind) {
      case 'credential_administered':
        return predicate.kind === 'agent' ? change(predicate, index) : undefined;
      case 'action_decided':
        agents.set(predicate.action.id, predicate.identity.agent);
        return predicate.permit ? acts(predicate.identity.agent) : undefined;
      case 'permit_issued':
      case 'permit_redeemed':
        return acts(agents.get(predicate.action.id));
      default:
        return undefined;
    }
  };
}
