import type { GuardAllowlist } from '@/lib/authority/guard-directory/guard-allowlist';
import type { WaitingInDirectory } from '@/lib/ports/guard-directories';
import { freshContent } from '@/lib/services/action-content';
import { asJson } from '@/lib/shared/as-json';
import { fromUtf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import { proposalBounds } from '../proposals/proposal-bounds';
import type { ProposalParts } from '../proposals/proposal-parts';
import { later } from '../later';
import { allowlistMethod, allowlistOpen, allowlistProof, directoryOf, guardMaker } from './guard-row';

/**
 * Takes a file of the inbox up as a proposal, with what it changes: one receipt says who asked and for which bytes, one what was found. Both
 * in one commit, because there is nothing to search. Failures: `conflict` when it is taken up already, `rate_limited`.
 */
export async function fileGuardProposal(parts: ProposalParts, directory: string, allowlist: GuardAllowlist, { proposal, uid }: WaitingInDirectory): Promise<Result<null>> {
  const { sha256 } = parts.cryptography;
  const text = fromUtf8(proposal.bytes);
  if (text === undefined) return fail('invalid_unicode', 'The proposal is not valid UTF-8.');
  const found = allowlistProof(directory, allowlist.permissions, proposal);
  const content = {
    text: freshContent(sha256, parts.ids.salt(), { text }),
    reason: freshContent(sha256, parts.ids.salt(), { reason: proposal.reason }),
    proof: freshContent(sha256, parts.ids.salt(), asJson(found)),
  };
  const id = parts.ids.make('proposal');
  const by = { kind: 'agent', id: guardMaker(directory, uid) } as const;
  return await parts.transactor.withHead(async (tx, { now }): Promise<Result<null>> => {
    const waiting = await parts.proposals.list('live', 2 * proposalBounds.live, tx);
    if (waiting.some((row) => row.target === 'allowlist' && row.digest === proposal.id && directoryOf(row) === directory)) return fail('conflict', 'It is taken up already.');
    const { live, live_of_maker: own, made_since: lately } = await parts.proposals.count(by.id, later(now, -3600), tx);
    if (live >= proposalBounds.live || own >= proposalBounds.liveOfMaker || lately >= proposalBounds.anHour) return fail('rate_limited', 'Too many proposals wait, or were made within the hour; it stays in the inbox.');
    const proposed = await parts.sign(
      'policy_proposed', now,
      { proposal: id, target: 'allowlist', base: proposal.base, digest: proposal.id, text_digest: content.text.digest, reason_digest: content.reason.digest, origin: 'guard_directory', by },
      { agent: by.id },
    );
    const proved = await parts.sign(
      'policy_proved', now,
      {
        proposal: id, base_digest: proposal.base.digest, digest: proposal.id, change: 'loosen', proof_digest: content.proof.digest, method: allowlistMethod,
        tests: { passed: 0, failed: 0 }, lint: { errors: 0, warnings: 0 }, open: [allowlistOpen], applicable: true,
      },
      {},
    );
    await parts.content.add(tx, [content.text, content.reason, content.proof]);
    await parts.proposals.add(tx, {
      id, target: 'allowlist', origin: 'guard_directory', maker_kind: by.kind, maker_id: by.id, session: null, base_revision: proposal.base.revision, base_digest: proposal.base.digest,
      digest: proposal.id, text, format: 'json', text_digest: content.text.digest, reason: proposal.reason, rebased_from: null, proposed_at: now, proposed_receipt: proposed.id,
    });
    if (!(await parts.proposals.prove(tx, id, null, { change: 'loosen', proof_digest: content.proof.digest, applicable: true, proved_at: now, proved_receipt: proved.id }))) {
      throw new Error(`Proposal ${id} was made in this transaction and cannot be proved in it.`);
    }
    await parts.ledger.append(tx, [proposed, proved]);
    await parts.events.publish(tx, [{ kind: 'proposal_changed', id }, { kind: 'log_grew', id: parts.workspace }]);
    return ok(null);
  });
}
