import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ProposalRow } from '@/lib/ports/proposal-store';
import { provenReceipt } from '@/lib/services/proven-receipt';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { ProposalId, ReceiptId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ProposalParts } from './proposal-parts';

export type StandingProposal = {
  readonly row: ProposalRow;
  readonly proposed: ReceiptPredicate<'policy_proposed'>;
  readonly proof: ReceiptPredicate<'policy_proved'> | null;
};

/**
 * A proposal as the log says it was made and proved. A row only finds its receipts: one that states something else is `proposal_altered`,
 * so whoever rewrites rows changes nothing that anybody signs.
 */
export async function standingProposal(parts: Pick<ProposalParts, 'proposals' | 'log' | 'cryptography'>, root: TrustRoot, id: ProposalId): Promise<Result<StandingProposal>> {
  const row = await parts.proposals.find(id);
  if (!row) return fail('not_found', 'There is no such proposal.');
  const proposed = await stated(parts, root, row.proposed_receipt, 'policy_proposed');
  if (!proposed.ok) return proposed;
  if (!isOf(row, proposed.value, digestOf(parts.cryptography.sha256, utf8(row.text)))) return altered(id);
  if (row.proof === null) return ok({ row, proposed: proposed.value, proof: null });
  const proof = await stated(parts, root, row.proof.proved_receipt, 'policy_proved');
  if (!proof.ok) return proof;
  const { change, proof_digest, applicable } = row.proof;
  const same = proof.value.proposal === id && proof.value.digest === row.digest && proof.value.change === change && proof.value.proof_digest === proof_digest && proof.value.applicable === applicable;
  return same ? ok({ row, proposed: proposed.value, proof: proof.value }) : altered(id);
}

async function stated<Kind extends ReceiptKind>({ log, cryptography }: Pick<ProposalParts, 'log' | 'cryptography'>, root: TrustRoot, receipt: ReceiptId, kind: Kind): Promise<Result<ReceiptPredicate<Kind>>> {
  const found = await log.byId(receipt);
  if (!found) return fail('ledger_broken', `Receipt ${receipt} of a proposal is not in the log.`, { fix: 'Run "countersign fsck".' });
  const body = await provenReceipt(found, root, cryptography);
  if (!body.ok) return body;
  return isOfKind(body.value, kind) ? ok(body.value.predicate) : fail('ledger_broken', `Receipt ${receipt} is about something else.`);
}

const isOfKind = <Kind extends ReceiptKind>(body: { readonly kind: ReceiptKind; readonly predicate: unknown }, kind: Kind): body is { readonly kind: Kind; readonly predicate: ReceiptPredicate<Kind> } => body.kind === kind;

function isOf(row: ProposalRow, proposed: ReceiptPredicate<'policy_proposed'>, digest: string): boolean {
  const { base, by } = proposed;
  return (
    proposed.proposal === row.id && proposed.digest === row.digest && digest === row.digest && proposed.target === row.target && proposed.origin === row.origin &&
    (base?.revision ?? null) === row.base_revision && (base?.digest ?? null) === row.base_digest && by.kind === row.maker_kind && by.id === row.maker_id &&
    (proposed.rebased_from ?? null) === row.rebased_from && proposed.text_digest === row.text_digest && proposed.at === row.proposed_at
  );
}

const altered = (id: ProposalId) => fail('proposal_altered', `The row of ${id} says something else than the receipts of it.`, { fix: 'Run "countersign fsck"; propose it again.' });

/** How many ends of proposals are read to see whether this one is among them. */
const mostEnds = 2000;

/** Proposals that have ended since then, as the log says. `already_resolved` when there are more ends than anybody looks back over. */
export async function endsInLog({ log, cryptography }: Pick<ProposalParts, 'log' | 'cryptography'>, root: TrustRoot, since: string): Promise<Result<ReadonlySet<string>>> {
  const ended = new Set<string>();
  for (const kind of ['policy_rejected', 'policy_applied', 'grant_issued', 'allowlist_applied'] as const) {
    const { rows } = await log.search({ kind, from: since }, { limit: mostEnds });
    if (rows.length === mostEnds) return fail('already_resolved', 'The proposal is older than anybody can look back over.', { fix: 'Propose it again.' });
    for (const row of rows) {
      const body = await provenReceipt(row, root, cryptography);
      if (body.ok && 'proposal' in body.value.predicate && body.value.predicate.proposal !== undefined) ended.add(body.value.predicate.proposal);
    }
  }
  return ok(ended);
}

/** A row that was set back to open is not open: the log says how the proposal ended. */
export async function endedInLog(parts: Pick<ProposalParts, 'log' | 'cryptography'>, root: TrustRoot, { id, proposed_at }: Pick<ProposalRow, 'id' | 'proposed_at'>): Promise<Result<null>> {
  const ended = await endsInLog(parts, root, proposed_at);
  if (!ended.ok) return ended;
  return ended.value.has(id) ? fail('already_resolved', 'The log says that the proposal has ended.') : ok(null);
}
