import type { PendingApproval } from '@/lib/approvals/approval-state';
import { nextApprovalState } from '@/lib/approvals/approval-machine';
import { lineOfRequests } from '@/lib/approvals/line-of-requests';
import { pendingApproval } from '@/lib/approvals/pending-approval';
import { verifyExtension } from '@/lib/approvals/verify-extension';
import { allowedKeyKinds } from '@/lib/authority/key-kinds';
import { personById } from '@/lib/authority/roster-lookup';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';
import type { Proving } from '@/lib/services/proven-place';
import { provenAt, provenReceipt } from '@/lib/services/proven-receipt';
import { rosterAt } from '@/lib/services/roster-at';

import type { HeldRequest } from './held-request';

export type StateParts = {
  readonly cryptography: Proving;
  readonly log: LedgerReader;
  readonly rosters: Pick<AuthorityStore, 'rosters'>;
};

/**
 * Whom a request asks now and until when, as the log proves it: its row's word lets nobody vote and nothing wait longer. An extension
 * counts by the signature of an approver of that position; an escalation by the plane's; an edit by its receipt, for it only stops. `receipts` are those of its action, oldest
 * first. `ledger_broken` when one of them is not what it says.
 */
export async function requestState(parts: StateParts, { held, requested }: HeldRequest, receipts: readonly LogRow[], root: TrustRoot): Promise<Result<PendingApproval>> {
  const proposedAt = await proposedIn(parts, receipts, root);
  if (!proposedAt.ok) return proposedAt;
  const before = await lineBefore(parts, requested, receipts, root);
  if (!before.ok) return before;
  let state = pendingApproval(held, requested.basis_digest, proposedAt.value ?? held.held_at, before.value);
  for (const receipt of receipts) {
    if (receipt.kind !== 'approval_extended' && receipt.kind !== 'approval_escalated' && receipt.kind !== 'approval_edited') continue;
    const body = await provenChange(parts, receipt, root);
    if (!body.ok) return body;
    const { kind, predicate } = body.value;
    if ((kind !== 'approval_extended' && kind !== 'approval_escalated' && kind !== 'approval_edited') || predicate.approval !== held.approval) continue;
    const next = kind === 'approval_extended' ? await extendedBy(parts, state, held, predicate, receipt, root)
      : nextApprovalState(state, kind === 'approval_edited' ? { kind: 'edit', now: predicate.at, by: predicate.person, successor: predicate.edited } : { kind: 'escalate', now: predicate.at });
    if (!next.ok || next.value.status !== 'pending') {
      return fail('ledger_broken', `Receipt ${receipt.id} changes request ${held.approval} as nobody may.`, { fix: 'Run "countersign fsck", and deny the request.', cause: next });
    }
    state = next.value;
  }
  return ok(state);
}

/** Who may extend is judged by the roster of the receipt's position; only a plane escalates. */
const provenChange = (parts: StateParts, receipt: LogRow, root: TrustRoot): Promise<Result<ReceiptBody>> =>
  receipt.kind === 'approval_escalated' ? provenReceipt(receipt, root, parts.cryptography, 'plane') : provenAt(receipt, root, parts.cryptography);

async function proposedIn(parts: StateParts, receipts: readonly LogRow[], root: TrustRoot): Promise<Result<Timestamp | undefined>> {
  const first = receipts.find(({ kind }) => kind === 'action_decided');
  const body = first && (await provenReceipt(first, root, parts.cryptography, 'plane'));
  if (body && !body.ok) return body;
  const decided = body?.value.kind === 'action_decided' ? body.value.predicate : undefined;
  return ok(decided?.cause === 'proposed' || decided?.cause === 'edited' ? decided.at : undefined);
}

/** The first of the line that a request goes on from, and how often those before it were extended. */
async function lineBefore(parts: StateParts, requested: HeldRequest['requested'], receipts: readonly LogRow[], root: TrustRoot): Promise<Result<Parameters<typeof pendingApproval>[3]>> {
  const requests: HeldRequest['requested'][] = [];
  const extended: string[] = [];
  for (const receipt of requested.supersedes === undefined ? [] : receipts) {
    if (receipt.kind !== 'approval_requested' && receipt.kind !== 'approval_extended') continue;
    const body = await provenReceipt(receipt, root, parts.cryptography);
    if (!body.ok) return body;
    if (body.value.kind === 'approval_requested') requests.push(body.value.predicate);
    if (body.value.kind === 'approval_extended') extended.push(body.value.predicate.approval);
  }
  const line = lineOfRequests(requested, requests);
  const [first] = line;
  if (first.supersedes !== undefined) return fail('ledger_broken', `Request ${requested.approval} goes on from one that the log does not have.`, { fix: 'Run "countersign fsck", and deny the request.' });
  const earlier = line.slice(0, -1);
  return ok({ first: { held_at: first.at, expires_at: first.expires_at }, extensions: extended.filter((id) => earlier.some(({ approval }) => approval === id)).length });
}

async function extendedBy(
  { cryptography, log, rosters }: StateParts,
  state: PendingApproval,
  held: HeldRequest['held'],
  { envelope, at }: { readonly envelope: Parameters<typeof verifyExtension>[0]; readonly at: string },
  receipt: LogRow,
  root: TrustRoot,
): Promise<Result<PendingApproval>> {
  const roster = await rosterAt({ reader: log, authority: rosters, cryptography }, root, receipt.index);
  if (!roster.ok) return roster;
  const approver = (id: Parameters<typeof personById>[1]) => personById(roster.value, id);
  const verified = await verifyExtension(envelope, { held, state, now: at, approver, keyKinds: allowedKeyKinds(root, held.impact), verify: cryptography.verify });
  return verified.ok ? ok(verified.value.state) : verified;
}
