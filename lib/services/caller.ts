import type { CredentialScope } from '@/lib/authority/roster';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { CredentialKind } from '@/lib/ports/credential-store';
import type { CredentialId } from '@/lib/shared/ids';

/** Who calls the plane, as its live credential says: never as a body says. */
export type Caller = {
  readonly credential: CredentialId;
  readonly kind: CredentialKind;
  /** The agent's id, or the credential's own name. */
  readonly subject: string;
  /** Extra scopes of the credential, such as `explain`. */
  readonly scopes: readonly string[];
  /** Humans, agents and attributes that the signed roster lists it for; empty for agents. */
  readonly listed: CredentialScope;
};

/** The caller as receipts name it. */
export const actorOf = (caller: Caller): Actor => ({ kind: caller.kind, id: caller.kind === 'agent' ? caller.subject : caller.credential });

/** How the policy's `information` names a source: `ip:<name>`, `orchestrator:<name>`, `pep:<name>`. */
export function sourceOf(caller: Caller): string {
  const prefixes = { information_point: 'ip', orchestrator: 'orchestrator', enforcement_point: 'pep', agent: 'agent' } as const;
  return `${prefixes[caller.kind]}:${caller.subject}`;
}
