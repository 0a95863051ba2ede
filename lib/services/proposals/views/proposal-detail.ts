import { isLive } from '@/lib/authority/proposal';
import { signersThatCount } from '@/lib/authority/signers-that-count';
import type { ProposalDetail } from '@/lib/contracts/console/proposals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ProposalRow } from '@/lib/ports/proposal-store';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { inForceReference } from '@/lib/services/console/policy-base';
import type { InForce } from '@/lib/services/in-force';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { appliesFrom } from '../apply-proposal';
import { mergedSignatures } from '../merged-signatures';
import { mergeTexts } from '../merge-texts';
import { restingProposals } from '../outdate-proposals';
import { proposalBounds } from '../proposal-bounds';
import { proposalTarget } from '../proposal-targets';
import { standingProposal, type StandingProposal } from '../standing-proposal';
import { textOfBase } from '../text-of-base';
import { askedFor, asksForNothing, nameIn, proposalCard } from './proposal-card';

/** One proposal with what counts of it: as its receipts state it, every signature verified here and now. `not_found`. */
export async function proposalDetail(parts: ConsoleParts, viewer: Viewer, id: ProposalId): Promise<Result<ProposalDetail>> {
  const inForce = await parts.inForce.current();
  const row = await parts.proposals.find(id);
  if (!row) return fail('not_found', 'There is no such proposal.');
  const standing = inForce.root ? await standingProposal(parts, inForce.root.root, id) : undefined;
  const notCounted = standing?.ok === true ? (standing.value.proposed.not_counted ?? []) : [];
  const [live, base] = await Promise.all([parts.proposals.list('live', 2 * proposalBounds.live), row.base_digest === null ? { text: '' } : textOfBase(parts, row.base_digest)]);
  const reference = inForceReference(inForce);
  const resting = restingProposals(live, reference);
  const signatures = await parts.proposals.signatures([id]);
  const card = proposalCard(row, { inForce, signatures, resting, notCounted, asked: base ? askedFor(row, base.text, parts.cryptography) : asksForNothing, now: await parts.reads.now() });
  const merged = standing?.ok === true ? await worth(parts, inForce, standing.value) : null;
  const needed = card.needed;
  const enough = (merged?.counted.length ?? 0) >= needed;
  const stale = row.state === 'stale' || (isLive(row.state) && card.rests_on === 'nothing');
  const mine = row.maker_kind === 'person' && row.maker_id === viewer.person;
  const owner = viewer.permissions.includes('policy.sign');
  const rests = isLive(row.state) && card.rests_on !== 'nothing' && standing?.ok === true;
  const from = inForce.root && row.proof ? appliesFrom(row.proof.change, inForce.root.root.cool_off_seconds, merged?.enough_at ?? null) : null;
  return ok({
    ...card,
    signed: isLive(row.state) ? (merged?.counted.length ?? 0) : card.signed,
    text: row.text,
    format: row.format,
    base_text: base?.text ?? null,
    in_force: reference,
    reason: row.reason,
    session: row.session,
    rebased_from: row.rebased_from,
    replaced_by: row.end?.replaced_by ?? null,
    ended_by: row.end === null ? null : nameIn(inForce, row.end.ended_by),
    ended_reason: row.end?.ended_reason ?? null,
    ended_receipt: row.end?.ended_receipt ?? null,
    proposed_receipt: row.proposed_receipt,
    signatures: signatures.map(({ person, signed_at: at, receipt }) => ({
      person, name: nameIn(inForce, person), at, receipt, self_signed: notCounted.includes(person), counts: signersThatCount([person], needed, notCounted).length > 0,
    })),
    not_counted: notCounted.map((person) => nameIn(inForce, person)),
    altered: standing === undefined || standing.ok ? null : standing.error.detail,
    conflicts: stale && base && inForce.policy && row.target === 'policy' ? mergeTexts(base.text, inForce.policy.text, row.text).conflicts : [],
    applies_from: isLive(row.state) && enough ? from : null,
    signed_by_me: signatures.some(({ person }) => person === viewer.person),
    may: {
      sign: owner && rests && row.proof?.applicable === true && !signatures.some(({ person }) => person === viewer.person),
      reject: owner && isLive(row.state) && !mine,
      withdraw: mine && isLive(row.state),
      apply: viewer.permissions.includes('policy.apply') && rests && enough,
      rebase: stale && row.target === 'policy' && (row.end?.replaced_by ?? null) === null && viewer.permissions.includes('policy.draft'),
    },
  });
}

async function worth(parts: ConsoleParts, { root }: InForce, { row, proposed, proof }: StandingProposal & { readonly row: ProposalRow }) {
  const target = proposalTarget(row.target);
  if (!root || !proof || !target.ok) return null;
  const needed = target.value.neededSigners(root.root, proof.change);
  const rows = await parts.proposals.signatures([row.id]);
  return await mergedSignatures(rows, target.value.documents(parts, { row, proposed, proof }), proof.proof_digest, root.root, needed, proposed.not_counted ?? [], parts.cryptography);
}
