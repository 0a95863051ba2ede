import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { RevisionReference } from '@/lib/authority/policy-revision';
import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import { signersThatCount } from '@/lib/authority/signers-that-count';
import type { ProposalCard } from '@/lib/contracts/console/proposals';
import type { ListedProposal, ProposalRow, ProposalSignatureRow } from '@/lib/ports/proposal-store';
import type { InForce } from '@/lib/services/in-force';
import { askedGrant } from '@/lib/services/grants/asked-grant';
import type { ProposalId } from '@/lib/shared/ids';

import { touchedRules } from '../touched-rules';

export const referenceOf = ({ base_revision: revision, base_digest: digest }: Pick<ListedProposal, 'base_revision' | 'base_digest'>): RevisionReference | null =>
  revision === null || digest === null ? null : { revision, digest };

/** A name as the roster in force has it; an agent's is its id. */
export const nameIn = ({ roster }: InForce, id: string): string => roster?.roster.people.find((person) => person.id === id)?.name ?? id;

/** What a proposal asks for: the rules that it touches, or the grant in the document that owners would sign. */
export type AskedFor = Pick<ProposalCard, 'rules' | 'grant'>;

/** Of one whose text was not read, or whose base is gone. */
export const asksForNothing: AskedFor = { rules: { added: [], changed: [], removed: [] }, grant: null };

export function askedFor({ target, text }: Pick<ProposalRow, 'target' | 'text'>, before: string, cryptography: Pick<Cryptography, 'sha256'>): AskedFor {
  if (target === 'policy') return { rules: touchedRules(before, text), grant: null };
  const asked = target === 'grant' ? askedGrant(text, cryptography) : undefined;
  return asked?.ok === true ? { ...asksForNothing, grant: { ...asked.value.terms, reason: asked.value.terms.reason ?? null } } : asksForNothing;
}

export type CardFacts = {
  readonly inForce: InForce;
  readonly signatures: readonly ProposalSignatureRow[];
  readonly resting: ReadonlySet<ProposalId>;
  /** Whom each proposal leaves out of the count. */
  readonly notCounted: readonly string[];
  readonly asked: AskedFor;
  readonly now: string;
};

export function proposalCard(row: ListedProposal | ProposalRow, { inForce, signatures, resting, notCounted, asked: { rules, grant }, now }: CardFacts): ProposalCard {
  const needed = inForce.root ? neededPolicySigners(inForce.root.root, row.proof?.change ?? 'not_proved') : 1;
  const own = signatures.filter(({ proposal, proof_digest }) => proposal === row.id && proof_digest === row.proof?.proof_digest).map(({ person }) => person);
  const onForce = row.base_digest === (inForce.policy?.digest ?? null) && row.base_revision === (inForce.policy?.revision ?? null);
  return {
    id: row.id,
    target: row.target,
    state: row.state,
    origin: row.origin,
    maker: { kind: row.maker_kind, id: row.maker_id, name: nameIn(inForce, row.maker_id) },
    at: row.proposed_at,
    base: referenceOf(row),
    digest: row.digest,
    rules,
    grant,
    change: row.proof?.change ?? null,
    applicable: row.proof?.applicable ?? null,
    signed: signersThatCount(own, needed, notCounted).length,
    needed,
    rests_on: row.target === 'grant' ? (grant !== null && grant.expires_at <= now ? 'nothing' : 'in_force') : row.target !== 'policy' || onForce ? 'in_force' : resting.has(row.id) ? 'proposal' : 'nothing',
    revision: row.end?.revision ?? null,
    ended_at: row.end?.ended_at ?? null,
  };
}
