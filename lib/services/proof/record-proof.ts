import type { PolicyProof } from '@/lib/policy/proof';
import type { ProposalRow } from '@/lib/ports/proposal-store';
import { freshContent } from '@/lib/services/action-content';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { asJson } from '@/lib/shared/as-json';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { isApplicable } from './finished-proof';

type Parts = Pick<ConsoleParts, 'cryptography' | 'ids' | 'sign' | 'transactor' | 'proposals' | 'ledger' | 'content' | 'events' | 'workspace'>;

/** Thrown to undo a transaction whose proposal had moved on. */
class MovedOn extends Error {}

/**
 * Keeps what was found out: the proof as content, its receipt, and the row that names both, in one transaction. `conflict`: the proposal had ended, had been
 * signed, or had got another proof meanwhile; then nothing is kept.
 */
export async function recordProof(parts: Parts, row: ProposalRow, proof: PolicyProof): Promise<Result<Digest>> {
  const item = freshContent(parts.cryptography.sha256, parts.ids.salt(), asJson(proof));
  const applicable = isApplicable(proof);
  const { replay } = proof;
  try {
    await parts.transactor.withHead(async (tx, { now }) => {
      const receipt = await parts.sign(
        'policy_proved',
        now,
        {
          proposal: row.id, base_digest: proof.base_digest, digest: proof.digest, change: proof.change, proof_digest: item.digest, method: proof.method, tests: proof.tests,
          lint: proof.lint, open: [...proof.open], applicable,
          ...(replay ? { replayed: { receipts: replay.receipts, newly_allowed: replay.newly_allowed, newly_stopped: replay.newly_stopped } } : {}),
        },
        {},
      );
      await parts.content.add(tx, [item]);
      const kept = { change: proof.change, proof_digest: item.digest, applicable, proved_at: now, proved_receipt: receipt.id };
      if (!(await parts.proposals.prove(tx, row.id, row.proof?.proof_digest ?? null, kept))) throw new MovedOn();
      await parts.ledger.append(tx, [receipt]);
      await parts.events.publish(tx, [{ kind: 'proposal_changed', id: row.id }, { kind: 'log_grew', id: parts.workspace }]);
    });
  } catch (cause) {
    if (cause instanceof MovedOn) return fail('conflict', 'The proposal had moved on before its proof was ready.', { fix: 'Look at it again.' });
    throw cause;
  }
  return ok(item.digest);
}
