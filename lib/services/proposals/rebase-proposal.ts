import type { RevisionReference } from '@/lib/authority/policy-revision';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { inForceReference } from '@/lib/services/console/policy-base';
import { authorityToBuildOn } from '@/lib/services/console/roster-change-facts';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { addProposal } from './add-proposal';
import { mergeTexts } from './merge-texts';
import { proposalBounds } from './proposal-bounds';
import type { ProposalParts } from './proposal-parts';
import { standingProposal } from './standing-proposal';
import { textOfBase } from './text-of-base';

type Onto = RevisionReference & { readonly text: string };

/**
 * The same change on top of another text, as a new proposal of the console's: nobody wrote it, a merge by lines made it, so whoever had a
 * hand in the old one has in the new. Signatures do not go over. Failures: `proposal_conflicts` (both change the same lines: a person has to
 * write it), `policy_base_changed` (its own base is gone), `policy_invalid` (the merged text does not parse).
 */
async function rebaseOnto(parts: ProposalParts, id: ProposalId, onto: Onto): Promise<Result<ProposalId>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const standing = await standingProposal(parts, authority.value.root, id);
  if (!standing.ok) return standing;
  const { row, proposed } = standing.value;
  if (row.target !== 'policy' || row.base_digest === null) return fail('invalid_input', 'It rests on nothing that could change.');
  if (row.state !== 'open' && row.state !== 'signed' && row.state !== 'stale') return fail('already_resolved', `The proposal is ${row.state} already.`);
  const base = await textOfBase(parts, row.base_digest);
  if (!base) return fail('policy_base_changed', 'The text that it was written on is no longer there.', { fix: 'Propose it anew.' });
  const merged = mergeTexts(base.text, onto.text, row.text);
  if (merged.conflicts.length > 0) {
    const where = merged.conflicts.map(({ from_line: line }) => line).join(', ');
    return fail('proposal_conflicts', `Both change what stood from line ${where} on.`, { fix: 'Write it again in the editor, on top of what is in force.' });
  }
  const digest = digestOf(parts.cryptography.sha256, utf8(merged.text));
  const there = (await parts.proposals.list('live', 2 * proposalBounds.live)).find((one) => one.rebased_from === id && one.digest === digest && one.base_digest === onto.digest && one.base_revision === onto.revision);
  if (there) return ok(there.id);
  const made = await addProposal(parts, {
    id: parts.ids.make('proposal'), target: 'policy', origin: 'rebase', text: merged.text, format: row.format, base: { revision: onto.revision, digest: onto.digest }, reason: row.reason,
    by: { kind: 'service', id: 'console' }, notCounted: proposed.not_counted ?? [], rebasedFrom: id, ...(row.session === null ? {} : { session: row.session }),
  });
  return made.ok ? ok(made.value.id) : made;
}

/** On top of what is in force now; it is proved anew like every proposal. */
export async function rebaseProposal(parts: ConsoleParts, id: ProposalId): Promise<Result<{ readonly proposal: ProposalId }>> {
  const { policy } = await parts.inForce.refresh();
  if (!policy) return fail('policy_unsigned', 'Nothing is in force to rebase it on.');
  const rebased = await rebaseOnto(parts, id, policy);
  return rebased.ok ? ok({ proposal: rebased.value }) : rebased;
}

/**
 * Puts proposals in this order: each that does not rest on the one before is rebased onto it, to be proved anew, so that one statement can
 * cover the chain. Stops at the first that cannot be; what was rebased till then stays, as proposals like any other.
 */
export async function orderProposals(parts: ConsoleParts, ids: readonly ProposalId[]): Promise<Result<{ readonly proposals: readonly ProposalId[] }>> {
  const inForce = await parts.inForce.refresh();
  const { policy } = inForce;
  const base = inForceReference(inForce);
  if (!policy || !base) return fail('policy_unsigned', 'Nothing is in force to put them on.');
  const ordered: ProposalId[] = [];
  let onto: Onto = { ...base, text: policy.text };
  for (const id of ids) {
    const row = await parts.proposals.find(id);
    if (!row) return fail('not_found', 'There is no such proposal.');
    const rests = row.base_revision === onto.revision && row.base_digest === onto.digest && (row.state === 'open' || row.state === 'signed');
    const rebased = rests ? ok(id) : await rebaseOnto(parts, id, onto);
    if (!rebased.ok) return rebased;
    const next = await parts.proposals.find(rebased.value);
    if (!next) return fail('not_found', 'There is no such proposal.');
    ordered.push(rebased.value);
    onto = { revision: onto.revision + 1, digest: next.digest, text: next.text };
  }
  return ok({ proposals: ordered });
}
