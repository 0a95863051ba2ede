import { statementPayload, statementTypes } from '@/lib/authority/owner-statements';
import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { envelopePayload } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { ActionId, GrantId, PermitId } from '@/lib/shared/ids';

import { firstFault, knowsAllBefore, ownersAt, type EventEvidence, type EventFault } from './event-evidence';
import { failed, passed, type Check } from './report';
import { faultOfOwners, holdsDocument } from './signed-document';

type Issued = ReceiptPredicate<'grant_issued'>;
type Consumed = ReceiptPredicate<'grant_consumed'>;

/** A grant is owners' word, and is used only while it lasts, for what it gives, under permits that name it, and never more often. */
export async function checkGrants(evidence: EventEvidence): Promise<Check> {
  const line = new GrantLine(evidence);
  const fault = (await firstFault(evidence.entries, (body, index) => line.take(body, index))) ?? line.uncounted();
  if (fault) return failed('grants', fault.detail, fault.index);
  return passed('grants', line.count === 1 ? 'One grant.' : `${line.count} grants.`);
}

class GrantLine {
  private readonly issued = new Map<GrantId, Issued>();
  private readonly uses = new Map<GrantId, number>();
  private readonly ended = new Set<GrantId>();
  /** What permits name, until each use is counted. */
  private readonly named = new Map<PermitId, readonly GrantId[]>();
  private readonly redeemed = new Map<PermitId, number>();
  private readonly counted = new Set<string>();
  private readonly decided = new Map<ActionId, ReceiptPredicate<'action_decided'>>();

  constructor(private readonly evidence: EventEvidence) {}

  get count(): number {
    return this.issued.size;
  }

  take(body: ReceiptBody, index: number): string | undefined | Promise<string | undefined> {
    switch (body.kind) {
      case 'grant_issued':
        return this.issue(body.predicate, index);
      case 'grant_consumed':
        return this.consume(body.predicate, knowsAllBefore(this.evidence, index));
      case 'grant_revoked':
        if (knowsAllBefore(this.evidence, index) && !this.issued.has(body.predicate.grant)) return 'A grant was revoked that was never issued.';
        this.ended.add(body.predicate.grant);
        return undefined;
      case 'action_decided':
      case 'permit_issued':
        if (body.kind === 'action_decided') this.decided.set(body.predicate.action.id, body.predicate);
        return this.permit(body.kind === 'action_decided' ? body.predicate.identity.agent : body.predicate.agent, body.predicate.permit, body.predicate.at, knowsAllBefore(this.evidence, index));
      case 'permit_redeemed':
        this.redeemed.set(body.predicate.permit, index);
        return undefined;
      default:
        return undefined;
    }
  }

  private async issue(issued: Issued, index: number): Promise<string | undefined> {
    const { grant, agent, tool, operation, scope, uses, expires_at, reason, replaces, envelope, digest, workspace, at } = issued;
    if (this.issued.has(grant)) return 'The grant was issued twice.';
    this.issued.set(grant, issued);
    const terms = { grant, agent, tool, operation, scope, uses, expires_at, ...(reason === undefined ? {} : { reason }), ...(replaces === undefined ? {} : { replaces }) };
    if (!holdsDocument(envelope, statementTypes.grant, (signedAt) => statementPayload('grant', workspace, terms, signedAt))) {
      return 'The owners signed another grant than the receipt states.';
    }
    const payload = envelopePayload(envelope);
    if (!payload || digestOf(this.evidence.cryptography.sha256, payload) !== digest) return 'The grant’s digest is not that of what owners signed.';
    if (expires_at <= at) return 'The grant had expired when it was issued.';
    const root = ownersAt(this.evidence, index);
    return faultOfOwners(envelope, root, root ? Math.max(root.thresholds.policy, root.thresholds.loosening) : 1, this.evidence.cryptography);
  }

  /** What a permit rests on stands when it is issued, is its agent's, and has a use left. */
  private permit(agent: string, permit: ReceiptPredicate<'action_decided'>['permit'], at: string, whole: boolean): string | undefined {
    if (!permit?.grants) return undefined;
    this.named.set(permit.id, permit.grants);
    for (const grant of permit.grants) {
      const issued = this.issued.get(grant);
      if (!issued && whole) return 'A permit names a grant that was never issued.';
      if (this.ended.has(grant)) return 'A permit names a grant that had been revoked.';
      if (issued && issued.agent !== agent) return 'A permit names a grant of another agent.';
      if (issued && at >= issued.expires_at) return 'A permit names a grant that had expired.';
      if (issued && (this.uses.get(grant) ?? 0) >= issued.uses) return 'A permit names a grant that was used up.';
    }
    return undefined;
  }

  private consume(used: Consumed, whole: boolean): string | undefined {
    const { grant, permit } = used;
    const issued = this.issued.get(grant);
    if (!issued && whole) return 'A grant was used that was never issued.';
    if (this.ended.has(grant)) return 'A grant was used after it had been revoked.';
    if (!this.redeemed.has(permit) && whole) return 'A grant was used under a permit that nobody redeemed.';
    const names = this.named.get(permit);
    if ((names ?? whole) && names?.includes(grant) !== true) return 'A grant was used under a permit that does not name it.';
    const decided = this.decided.get(used.action.id);
    if (decided && (decided.tool !== used.tool || decided.operation !== used.operation || decided.identity.agent !== used.agent)) {
      return 'A grant was counted for another agent, tool or operation than was decided.';
    }
    const key = `${permit} ${grant}`;
    if (this.counted.has(key)) return 'One execution was counted twice.';
    this.counted.add(key);
    const before = this.uses.get(grant) ?? (whole ? 0 : used.use - 1);
    this.uses.set(grant, used.use);
    if (used.use !== before + 1) return `The grant was used for the ${used.use}. time after ${before}.`;
    return issued && this.faultOfUse(issued, used);
  }

  private faultOfUse(issued: Issued, { agent, tool, operation, use, at }: Consumed): string | undefined {
    if (issued.agent !== agent) return 'A grant of another agent was used.';
    if (issued.tool !== tool || (issued.operation !== null && issued.operation !== operation)) return 'A grant was used for another tool or operation than it gives.';
    if (use > issued.uses) return `A grant of ${issued.uses} uses was used for the ${use}. time.`;
    return at >= issued.expires_at ? 'A grant was used after it had expired.' : undefined;
  }

  /** A redeemed permit that rests on a grant and was not counted would let the count never end. */
  uncounted(): EventFault | undefined {
    if (!this.evidence.closed) return undefined;
    for (const [permit, index] of this.redeemed) {
      const missing = this.named.get(permit)?.find((grant) => !this.counted.has(`${permit} ${grant}`));
      if (missing !== undefined) return { index, detail: 'A permit was redeemed on a grant, and the use was not counted.' };
    }
    return undefined;
  }
}
