import { contentDigest } from '@/lib/ledger/content';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import type { ApprovalId, Digest } from '@/lib/shared/ids';

import { firstFault, knowsAllBefore, type EventEvidence } from './event-evidence';
import { failed, passed, type Check } from './report';

/** A commitment is made before the request, opened after the decision, to exactly what was committed; a seeded one never ran. */
export async function checkSeeded(evidence: EventEvidence): Promise<Check> {
  const committed = new Map<ApprovalId, Digest>();
  const requested = new Set<ApprovalId>();
  const resolved = new Set<ApprovalId>();
  const opened = new Set<ApprovalId>();
  const seeded = new Set<ApprovalId>();
  const permitted = new Set<ApprovalId>();

  const judge = (body: ReceiptBody, index: number): string | undefined => {
    switch (body.kind) {
      case 'approval_requested':
        requested.add(body.predicate.approval);
        return undefined;
      case 'approval_resolved':
        resolved.add(body.predicate.approval);
        return undefined;
      case 'permit_issued':
        permitted.add(body.predicate.approval);
        return seeded.has(body.predicate.approval) ? 'A seeded request was permitted.' : undefined;
      case 'seeded_request_committed': {
        const { approval, commitment } = body.predicate;
        if (committed.has(approval)) return 'A request was committed to twice.';
        if (requested.has(approval)) return 'A request was committed to after it had been shown.';
        committed.set(approval, commitment);
        return undefined;
      }
      case 'seeded_request_opened': {
        const { approval, commitment, seeded: is, salt } = body.predicate;
        const promised = committed.get(approval);
        if (promised === undefined ? knowsAllBefore(evidence, index) : promised !== commitment) return 'Another commitment was opened than was made.';
        if (contentDigest(evidence.cryptography.sha256, salt, { request: approval, seeded: is }) !== commitment) return 'What was opened is not what was committed to.';
        if (knowsAllBefore(evidence, index) && !resolved.has(approval)) return 'A commitment was opened before the request was decided.';
        if (opened.has(approval)) return 'A commitment was opened twice.';
        opened.add(approval);
        if (is) seeded.add(approval);
        return is && permitted.has(approval) ? 'A request that was permitted is called seeded.' : undefined;
      }
      default:
        return undefined;
    }
  };
  const fault = await firstFault(evidence.entries, judge);
  if (fault) return failed('seeded', fault.detail, fault.index);
  return passed('seeded', `${committed.size} commitments, ${opened.size} opened.`);
}
