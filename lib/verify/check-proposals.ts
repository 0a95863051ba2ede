import { statementPayload, statementTypes } from '@/lib/authority/owner-statements';
import { signersThatCount } from '@/lib/authority/signers-that-count';
import { neededGrantSigners } from '@/lib/authority/verify-grant';
import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ProposalId } from '@/lib/shared/ids';

import { firstFault, knowsAllBefore, ownersAt, rosterAt, type EventEvidence } from './event-evidence';
import { failed, passed, type Check } from './report';
import { signsStep } from './signs-step';
import { faultOfOwners, faultOfPerson, holdsDocument } from './signed-document';

type Proposed = ReceiptPredicate<'policy_proposed'>;
type Signed = ReceiptPredicate<'policy_signed'>;
type Applied = ReceiptPredicate<'policy_applied'>;

type AppliedToAllowlist = ReceiptPredicate<'allowlist_applied'>;

type Ended = Pick<Applied, 'proposal' | 'digest'>;

type Proposal = {
  readonly proposed: Proposed;
  /** Whose signatures do not count where two or more are asked for. */
  readonly hands: readonly string[];
  readonly proofs: ReceiptPredicate<'policy_proved'>[];
  readonly signatures: Signed[];
  ended: string | undefined;
};

/**
 * A proposal is signed by whoever makes it and proved before owners sign base, text, class and proof of it; what was turned down is
 * never applied, and what is applied is what enough owners signed. A roll-back brings back a text that was in force.
 */
export async function checkProposals(evidence: EventEvidence): Promise<Check> {
  const line = new ProposalLine(evidence);
  const fault = await firstFault(evidence.entries, (body, index) => line.take(body, index));
  if (fault) return failed('proposals', fault.detail, fault.index);
  return passed('proposals', line.count === 1 ? 'One proposal.' : `${line.count} proposals.`);
}

class ProposalLine {
  private readonly proposals = new Map<ProposalId, Proposal>();
  private readonly applied: Applied[] = [];
  /** Who made credentials for each agent, and for whom each session of it is. */
  private readonly registrars = new Map<string, Set<string>>();
  private readonly sessions = new Map<string, { readonly agent: string; readonly human: string }>();

  private readonly anchors: ReadonlySet<number>;

  constructor(private readonly evidence: EventEvidence) {
    this.anchors = new Set(evidence.entries.flatMap(({ anchor, index }) => (anchor ? [index] : [])));
  }

  get count(): number {
    return this.proposals.size;
  }

  take(body: ReceiptBody, index: number): string | undefined | Promise<string | undefined> {
    switch (body.kind) {
      case 'credential_administered':
        return this.register(body.predicate);
      case 'session_opened':
        this.sessions.set(body.predicate.session, body.predicate);
        return undefined;
      case 'policy_proposed':
        return this.propose(body.predicate, index);
      case 'policy_proved':
        return this.prove(body.predicate, index);
      case 'policy_signed':
        return this.sign(body.predicate, index);
      case 'policy_rejected':
        return this.end(body.predicate, index, body.predicate.outcome);
      case 'policy_applied':
        return this.apply(body.predicate, index);
      case 'policy_rolled_back':
        return this.rollBack(body.predicate, index);
      case 'allowlist_applied':
        return this.applyToAllowlist(body.predicate, index);
      case 'grant_issued':
        return this.issueGrant(body.predicate, index);
      default:
        return undefined;
    }
  }

  private async propose(proposed: Proposed, index: number): Promise<string | undefined> {
    const { proposal, target, base, digest, by, envelope, workspace } = proposed;
    if (this.proposals.has(proposal)) return 'The proposal was made twice.';
    const hands = proposed.not_counted ?? (by.kind === 'person' ? [by.id] : []);
    this.proposals.set(proposal, { proposed, hands, proofs: [], signatures: [], ended: undefined });
    if (target === 'policy' && knowsAllBefore(this.evidence, index) && base && !this.isThere(base)) return 'The proposal rests on a policy that was never in force.';
    const stated = new Set<string>(hands);
    if (this.handsOf(proposed, index).some((person) => !stated.has(person))) return 'The proposal leaves out somebody who had a hand in it, so that they would count among its signers.';
    if (by.kind !== 'person') return by.kind !== 'service' || this.isMade(proposed, index) ? undefined : 'The console proposed something of its own.';
    if (!envelope) return 'A person’s proposal without their signature.';
    const roster = rosterAt(this.evidence, index);
    const proposer = roster?.people.find(({ id }) => id === by.id)?.id;
    if (!proposer) return 'The roster in force does not list the proposer.';
    const terms = { proposal, target, base, digest, proposer };
    if (!holdsDocument(envelope, statementTypes.proposal, (at) => statementPayload('proposal', workspace, terms, at))) {
      return 'The proposer signed another proposal than the receipt states.';
    }
    return faultOfPerson(envelope, proposer, roster, undefined, this.evidence.cryptography);
  }

  private register({ kind, subject, change, by }: ReceiptPredicate<'credential_administered'>): undefined {
    if (kind !== 'agent' || change !== 'created' || by.kind !== 'person') return;
    this.registrars.set(subject, (this.registrars.get(subject) ?? new Set<string>()).add(by.id));
  }

  /** In force once, or what another proposal would make of it: a chain is proposed before its first step is applied. */
  private isThere(base: NonNullable<Proposed['base']>): boolean {
    const same = (one: { readonly revision: number; readonly digest: string }): boolean => one.revision === base.revision && one.digest === base.digest;
    return this.applied.some(same) || [...this.proposals.values()].some(({ proposed }) => same({ revision: (proposed.base?.revision ?? 0) + 1, digest: proposed.digest }));
  }

  /** The proposer; of an agent's proposal the human it acts for and whoever made it a credential; of a rebase all of what it was made from. */
  private handsOf({ by, session, rebased_from }: Proposed, index: number): readonly string[] {
    const hands = rebased_from === undefined ? [] : [...(this.proposals.get(rebased_from)?.hands ?? [])];
    if (by.kind === 'person') hands.push(by.id);
    if (by.kind !== 'agent') return hands;
    const human = session === undefined ? undefined : this.sessions.get(session)?.human;
    const listed = rosterAt(this.evidence, index)?.people.find(({ email }) => email === human);
    return [...hands, ...(listed ? [listed.id] : []), ...(this.registrars.get(by.id) ?? [])];
  }

  /** What nobody wrote is a rebase of what somebody had proposed, or a suggestion. */
  private isMade({ origin, rebased_from }: Proposed, index: number): boolean {
    if (origin === 'suggestion' || origin === 'guard_directory') return true;
    return origin === 'rebase' && rebased_from !== undefined && (this.proposals.has(rebased_from) || !knowsAllBefore(this.evidence, index));
  }

  private prove(proof: ReceiptPredicate<'policy_proved'>, index: number): string | undefined {
    const known = this.proposals.get(proof.proposal);
    if (!known) return this.unknown('proved', index);
    if (proof.digest !== known.proposed.digest) return 'The proof is of another text than was proposed.';
    if (proof.base_digest !== (known.proposed.base?.digest ?? null)) return 'The proof is on another base than was proposed.';
    known.proofs.push(proof);
    return undefined;
  }

  private async sign(signed: Signed, index: number): Promise<string | undefined> {
    const known = this.proposals.get(signed.proposal);
    if (!known) return this.unknown('signed', index);
    if (known.ended !== undefined) return `The proposal was signed after it had been ${known.ended}.`;
    const proof = known.proofs.find(({ proof_digest }) => proof_digest === signed.proof_digest);
    if (!proof) return 'An owner signed a proof that is not there.';
    const same = proof.digest === signed.digest && proof.base_digest === signed.base_digest && proof.change === signed.change;
    if (!same) return 'An owner signed another text, base or class than was proved.';
    if (!proof.applicable) return 'An owner signed what its proof does not let be applied.';
    if (!signsStep(signed)) return 'The owner’s signature is over another proposal than the receipt states.';
    const root = ownersAt(this.evidence, index);
    const owner = root?.owners.find(({ key }) => key.id === signed.key.id);
    if (owner?.person !== signed.person || owner.key.kind !== signed.key.kind) return 'The key is not that owner’s in the trust root in force.';
    if (signed.self_signed !== known.hands.includes(signed.person)) return 'The receipt is wrong about whether the proposer signed it.';
    if (known.signatures.some(({ person }) => person === signed.person)) return 'An owner signed the proposal twice.';
    known.signatures.push(signed);
    return signed.envelope.signatures.length === 1 ? faultOfOwners(signed.envelope, root, 1, this.evidence.cryptography) : 'A signature of one owner is one signature.';
  }

  private end({ proposal, digest }: Ended, index: number, how: string, target?: Proposed['target']): string | undefined {
    if (proposal === undefined) return undefined;
    const known = this.proposals.get(proposal);
    if (!known) return this.unknown(how, index);
    if (known.ended !== undefined) return `The proposal was ${how} after it had been ${known.ended}.`;
    if (known.proposed.digest !== digest) return `Another text than was proposed was ${how}.`;
    if (target !== undefined && known.proposed.target !== target) return `The proposal was for a ${known.proposed.target}.`;
    if (how === 'applied' && known.signatures.length === 0) return 'A proposal was applied that nobody had signed.';
    known.ended = how;
    return undefined;
  }

  private apply(applied: Applied, index: number): string | undefined {
    this.applied.push(applied);
    // An anchor says what came into force outside of what is shown; how it came about is not in the bundle.
    if (this.anchors.has(index)) return undefined;
    if (applied.proposal === undefined) return applied.origin === 'proposal' ? 'The policy came from a proposal that the receipt does not name.' : undefined;
    const known = this.proposals.get(applied.proposal);
    const fault = this.end(applied, index, 'applied', 'policy');
    if (fault !== undefined || !known) return fault;
    if (applied.base_digest !== (known.proposed.base?.digest ?? null)) return 'The proposal was applied to another base than it was written on.';
    const root = ownersAt(this.evidence, index);
    const proof = known.proofs.find(({ proof_digest }) => proof_digest === applied.proof_digest);
    if (!root || !proof) return 'The policy names a proof that is not there.';
    if (applied.change !== proof.change) return 'The policy was applied as another class of change than was proved.';
    const needed = neededPolicySigners(root, proof.change);
    const placed = this.evidence.policies.find((one) => one.index === index);
    const short = faultOfSigners(applied, known, proof.change, needed, root.cool_off_seconds);
    if (short !== undefined || needed < 2 || !placed) return short;
    if (known.hands.some((person) => placed.notCounted?.includes(person) !== true)) return 'The signed revision does not say whose signatures do not count.';
    return undefined;
  }

  /** Who signed the grant itself is another rule's; that enough signed what was proposed is this one's. */
  private issueGrant(issued: ReceiptPredicate<'grant_issued'>, index: number): string | undefined {
    const fault = this.end(issued, index, 'applied', 'grant');
    const known = issued.proposal === undefined ? undefined : this.proposals.get(issued.proposal);
    if (fault !== undefined || !known) return fault;
    const { by } = known.proposed;
    if (by.kind === 'agent' && by.id !== issued.agent) return 'An agent’s proposal gave a grant to another agent.';
    const root = ownersAt(this.evidence, index);
    const proof = known.proofs.at(-1);
    if (!root || !proof) return 'The grant names a proposal without proof.';
    // The cool-off is not compared: owners who give a grant that nobody proposed wait for nothing either.
    return faultOfSigners({ proof_digest: proof.proof_digest, at: issued.at }, known, proof.change, neededGrantSigners(root), 0);
  }

  private applyToAllowlist(applied: AppliedToAllowlist, index: number): string | undefined | Promise<string | undefined> {
    const { proposal, directory, digest, permission, revision, base_digest, proof_digest, envelope, workspace, change } = applied;
    const known = this.proposals.get(proposal);
    const fault = this.end(applied, index, 'applied', 'allowlist');
    if (fault !== undefined || !known) return fault;
    const { base } = known.proposed;
    if (base?.digest !== base_digest || base.revision + 1 !== revision) return 'The proposal was applied to another allowlist than it was written on.';
    const root = ownersAt(this.evidence, index);
    const proof = known.proofs.find((one) => one.proof_digest === proof_digest);
    if (!root || !proof || change !== proof.change) return 'The allowlist names a proof that is not there.';
    const needed = neededPolicySigners(root, change);
    const signers = faultOfSigners(applied, known, change, needed, root.cool_off_seconds);
    if (signers !== undefined) return signers;
    const terms = { proposal, directory, guard_proposal: digest, base, permission, proof_digest };
    if (!holdsDocument(envelope, statementTypes.guard_application, (at) => statementPayload('guard_application', workspace, terms, at))) {
      return 'Owners signed another change of an allowlist than the receipt states.';
    }
    return faultOfOwners(envelope, root, needed, this.evidence.cryptography);
  }

  private rollBack(back: ReceiptPredicate<'policy_rolled_back'>, index: number): string | undefined {
    const { policies } = this.evidence;
    const at = policies.findIndex((one) => one.index <= index && one.revision === back.revision && one.digest === back.digest);
    if (at === -1) return 'A roll-back that no applied revision carries out.';
    if (back.restores.digest !== back.digest) return 'The roll-back restores another text than it applied.';
    const was = ({ revision, digest }: { readonly revision: number; readonly digest: string }) => policies.slice(0, at).some((one) => one.revision === revision && one.digest === digest);
    if (!was(back.restores)) return 'The roll-back restores a revision that was never in force.';
    return was(back.replaces) && back.replaces.revision === back.revision - 1 ? undefined : 'The roll-back replaces a revision that was not in force.';
  }

  private unknown(how: string, index: number): string | undefined {
    return knowsAllBefore(this.evidence, index) ? `Something was ${how} that nobody had proposed.` : undefined;
  }
}

/** Where two or more must sign, whoever had a hand in it does not count; the cool-off of a loosening runs from the last signature that was needed. */
function faultOfSigners(applied: Pick<Applied, 'proof_digest' | 'at'>, { hands, signatures }: Proposal, change: string, needed: number, coolOff: number): string | undefined {
  const counted = signatures.filter(({ person, proof_digest }) => proof_digest === applied.proof_digest && signersThatCount([person], needed, hands).length > 0);
  const last = counted[needed - 1];
  if (!last) return `${counted.length} of ${needed} needed owners had signed the proposal.`;
  if (change === 'tighten' || Date.parse(applied.at) >= Date.parse(last.at) + coolOff * 1000) return undefined;
  return 'The proposal was applied before its cool-off was over.';
}
