import { standingBytes, standingPayloadType } from '@/lib/approvals/standing';
import { personById } from '@/lib/authority/roster-lookup';
import { mostStandingHours } from '@/lib/ledger/predicates/standing';
import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ApprovalId, PersonId, StandingId } from '@/lib/shared/ids';

import { withChanges } from './changed-requests';
import { firstFault, knowsAllBefore, ownersAt, rosterAt, type EventEvidence } from './event-evidence';
import type { Placed } from './parse-entries';
import { failed, passed, type Check } from './report';
import { faultOfPerson, holdsDocument } from './signed-document';

type Granted = ReceiptPredicate<'standing_approval_granted'>;
type Used = ReceiptPredicate<'standing_approval_used'>;
type Decided = ReceiptPredicate<'action_decided'>;

/** A standing approval is an approver's signed word about one kind of action, and stands for that and no more: agent, human, operation, rule, arguments, count, time. */
export async function checkStanding(evidence: EventEvidence): Promise<Check> {
  const line = new StandingLine(evidence);
  const fault = await firstFault(evidence.entries, (body, index) => line.take(body, index));
  if (fault) return failed('standing', fault.detail, fault.index);
  return passed('standing', line.count === 1 ? 'One standing approval.' : `${line.count} standing approvals.`);
}

class StandingLine {
  private readonly granted = new Map<StandingId, Granted>();
  private readonly uses = new Map<StandingId, number>();
  private readonly ended = new Set<StandingId>();
  private readonly held = new Map<ApprovalId, Decided>();
  private readonly requests = new Map<ApprovalId, Placed<'approval_requested'>>();

  constructor(private readonly evidence: EventEvidence) {}

  get count(): number {
    return this.granted.size;
  }

  take(body: ReceiptBody, index: number): string | undefined | Promise<string | undefined> {
    switch (body.kind) {
      case 'action_decided':
        if (body.predicate.approval) this.held.set(body.predicate.approval.id, body.predicate);
        return undefined;
      case 'standing_approval_granted':
        return this.grant(body.predicate, index);
      case 'standing_approval_used':
        return this.use(body.predicate, index);
      case 'approval_requested':
        this.requests.set(body.predicate.approval, { index, predicate: body.predicate });
        return undefined;
      case 'standing_approval_revoked':
        this.ended.add(body.predicate.standing);
        return knowsAllBefore(this.evidence, index) && !this.granted.has(body.predicate.standing) ? 'A standing approval was revoked that was never given.' : undefined;
      default:
        return undefined;
    }
  }

  private async grant(granted: Granted, index: number): Promise<string | undefined> {
    const { standing, approval, person, key, agent, human, tool, operation, rule, arguments_digest, policy_digest, uses, ends_at, envelope, at } = granted;
    if (this.granted.has(standing)) return 'The standing approval was given twice.';
    this.granted.set(standing, granted);
    const voter = { person, key: key.id, key_kind: key.kind };
    const terms = { standing, request: approval, voter, agent, human, tool, operation, rule, arguments_digest, policy_digest, uses, ends_at };
    if (!holdsDocument(envelope, standingPayloadType, (signedAt) => standingBytes(terms, signedAt))) return 'The approver signed another standing approval than the receipt states.';
    if (Date.parse(ends_at) - Date.parse(at) > mostStandingHours * 3_600_000) return `A standing approval ends within ${mostStandingHours} hours.`;
    const decided = this.held.get(approval);
    const roster = rosterAt(this.evidence, index);
    if (!decided) return knowsAllBefore(this.evidence, index) ? 'A standing approval was given at no request.' : faultOfPerson(envelope, person, roster, undefined, this.evidence.cryptography);
    const impact = decided.impact;
    if (impact === 'high' || impact === 'critical') return `A standing approval of ${impact} impact.`;
    if (!isOf(granted, decided)) return 'A standing approval is wider than the request at which it was given.';
    const fault = await faultOfPerson(envelope, person, roster, ownersAt(this.evidence, index)?.key_kinds[impact], this.evidence.cryptography);
    return fault ?? this.faultOfVoter(person, approval, at, index);
  }

  /** A standing approval stands for a vote, so whoever gave it must be somebody who could cast one on this request. */
  private faultOfVoter(id: PersonId, approval: ApprovalId, at: string, index: number): string | undefined {
    const asked = this.requests.get(approval);
    const request = asked && withChanges(asked, index, this.evidence.entries);
    if (!request) return undefined;
    const roster = rosterAt(this.evidence, index);
    const person = roster && personById(roster, id);
    if (!person || person.suspended === true) return 'A standing approval of somebody whom the roster in force does not list as an active person.';
    if (!person.groups.some((group) => request.approvers.includes(group))) return 'A standing approval of somebody to whom the request was not routed.';
    if (at >= request.expires_at) return 'A standing approval stood for a vote after the request had expired.';
    const barred = request.excluded.includes(id) || this.held.get(approval)?.identity.human === person.email;
    return request.separation && barred ? 'A standing approval of somebody whom separation of duties bars.' : undefined;
  }

  private use(used: Used, index: number): string | undefined {
    const { standing, use, at } = used;
    const granted = this.granted.get(standing);
    const whole = knowsAllBefore(this.evidence, index);
    if (!granted && whole) return 'A standing approval was used that was never given.';
    if (this.ended.has(standing)) return 'A standing approval was used after it had ended.';
    const before = this.uses.get(standing) ?? (whole ? 0 : use - 1);
    this.uses.set(standing, use);
    if (use !== before + 1) return `A standing approval was used for the ${use}. time after ${before}.`;
    const asked = this.requests.get(used.approval)?.predicate.action ?? this.held.get(used.approval)?.action;
    if (asked && (asked.id !== used.action.id || asked.digest !== used.action.digest)) return 'A standing approval was used for another action than the request was about.';
    if (!granted) return this.faultOfVoter(used.person, used.approval, at, index);
    if (use > granted.uses) return `A standing approval of ${granted.uses} uses was used for the ${use}. time.`;
    if (at >= granted.ends_at) return 'A standing approval was used after its end.';
    if (used.person !== granted.person) return 'A standing approval was used in another person’s name.';
    if (used.rule !== granted.rule || used.arguments_digest !== granted.arguments_digest) return 'A standing approval was used for another rule or other arguments.';
    const decided = this.held.get(used.approval);
    if (decided && !isOf(granted, decided)) return 'A standing approval was used for another agent, human, operation, rule or policy.';
    if (decided?.impact === 'high' || decided?.impact === 'critical') return `A standing approval was used for ${decided.impact} impact.`;
    return this.faultOfVoter(used.person, used.approval, at, index);
  }
}

const isOf = (granted: Granted, { identity, tool, operation, determining, policy }: Decided): boolean =>
  granted.agent === identity.agent && granted.human === identity.human && granted.tool === tool && granted.operation === operation &&
  granted.policy_digest === policy?.digest && determining.some(({ id }) => id === granted.rule);
