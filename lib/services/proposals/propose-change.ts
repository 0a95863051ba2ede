import { applyPatch, parsePatch } from 'diff';

import type { ProposalView, ProposeBody, ProposeChangeBody, ProposeGrantBody } from '@/lib/contracts/plane/proposals';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { ProposalRow } from '@/lib/ports/proposal-store';
import { actorOf, type Caller } from '@/lib/services/caller';
import { askedGrant } from '@/lib/services/grants/asked-grant';
import type { PolicyInForce } from '@/lib/services/in-force';
import { bounds } from '@/lib/shared/bounds';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { addProposal, type MadeProposal } from './add-proposal';
import { withdrawProposal } from './end-proposal';
import { hadAHand } from './had-a-hand';
import type { ProposalParts } from './proposal-parts';
import { proposeGrant, type AskedGrant } from './propose-grant';

export type AskedChange = Pick<ProposeChangeBody, 'text' | 'patch' | 'format' | 'reason' | 'session'> & { readonly base: ProposeChangeBody['base'] | null };

/** What agents may do about policy and grants: ask, see what became of it, and take it back. */
export type ProposesChanges = {
  readonly propose: (caller: Caller, body: ProposeBody) => Promise<Result<ProposalView>>;
  readonly read: (caller: Caller, id: ProposalId) => Promise<Result<ProposalView>>;
  readonly withdraw: (caller: Caller, id: ProposalId) => Promise<Result<ProposalView>>;
  /** Of a refused edit: written on whatever is in force. `besides` gives receipts of the same moment. */
  readonly file: (caller: Caller, asked: AskedChange, id: ProposalId, besides: (at: string) => Promise<readonly SignedReceipt[]>) => Promise<Result<MadeProposal>>;
  /** The same of a grant. */
  readonly fileGrant: (caller: Caller, asked: AskedGrant, id: ProposalId, besides: (at: string) => Promise<readonly SignedReceipt[]>) => Promise<Result<MadeProposal>>;
};

export function changeProposer(parts: ProposalParts): ProposesChanges {
  const file: ProposesChanges['file'] = async (caller, asked, id, besides) => {
    const inForce = await parts.inForce.refresh();
    const { policy } = inForce;
    if (!policy) return fail('policy_unsigned', 'Nothing is in force to change.');
    const base = asked.base ?? { revision: policy.revision, digest: policy.digest };
    const text = textOf(asked, policy);
    if (!text.ok) return text;
    const hands = await hadAHand(parts, inForce, caller.subject, asked.session);
    if (!hands.ok) return hands;
    return await addProposal(
      parts,
      {
        id, target: 'policy', origin: 'agent', text: text.value, format: asked.format ?? policy.format, base, reason: asked.reason ?? null, by: actorOf(caller), notCounted: hands.value,
        ...(asked.session === undefined ? {} : { session: asked.session }),
      },
      besides,
    );
  };
  const own = async (caller: Caller, id: ProposalId): Promise<Result<ProposalView>> => {
    const row = await parts.proposals.find(id);
    if (row?.maker_kind !== 'agent' || row.maker_id !== caller.subject) return fail('not_found', 'There is no such proposal.');
    return ok(viewOf(parts, row, (await parts.proposals.signatures([id])).length));
  };
  return {
    file,
    fileGrant: (caller, asked, id, besides) => proposeGrant(parts, caller, asked, id, besides),
    propose: async (caller, body) => {
      const id = parts.ids.make('proposal');
      const made = body.target === 'grant' ? await proposeGrant(parts, caller, termsOf(body), id) : await file(caller, body, id, async () => []);
      return made.ok ? await own(caller, id) : made;
    },
    read: own,
    withdraw: async (caller, id) => {
      const ended = await withdrawProposal(parts, actorOf(caller), id);
      return ended.ok ? await own(caller, id) : ended;
    },
  };
}

/** The whole text asked for. A patch has to fit the base exactly: what is guessed at is not what the agent saw. */
function textOf({ text, patch, base }: AskedChange, policy: PolicyInForce): Result<string> {
  if (text !== undefined) return ok(text);
  if (base && (base.digest !== policy.digest || base.revision !== policy.revision)) {
    return fail('policy_base_changed', `Revision ${policy.revision} with digest ${policy.digest} is in force.`, { fix: 'Write the patch against that.' });
  }
  const misfit = fail('invalid_input', 'The patch does not fit the text that is in force.', { fix: 'Send a unified diff of one file, or the whole text.' });
  try {
    const files = parsePatch(patch ?? '');
    const [file] = files;
    const patched = file && files.length === 1 && applyPatch(policy.text, file, { fuzzFactor: 0, autoConvertLineEndings: false });
    if (typeof patched !== 'string') return misfit;
    return patched.length <= bounds.policyBytes ? ok(patched) : fail('too_large', 'The patched text is over the bound.');
  } catch (cause) {
    return fail('invalid_input', 'The patch cannot be read.', { fix: 'Send a unified diff of one file.', cause: { code: 'invalid_input', detail: cause instanceof Error ? cause.message : String(cause) } });
  }
}

const termsOf = ({ target: _target, ...terms }: ProposeGrantBody): AskedGrant => terms;

function viewOf({ cryptography }: ProposalParts, row: ProposalRow, signatures: number): ProposalView {
  const grant = row.target === 'grant' ? askedGrant(row.text, cryptography) : undefined;
  const { ended_reason: reason, revision, replaced_by } = row.end ?? { ended_reason: null, revision: null, replaced_by: null };
  return {
    id: row.id,
    state: row.state,
    target: row.target,
    base: row.base_revision === null || row.base_digest === null ? null : { revision: row.base_revision, digest: row.base_digest },
    digest: row.digest,
    proposed_at: row.proposed_at,
    proof: row.proof && { class: row.proof.change, applicable: row.proof.applicable, digest: row.proof.proof_digest },
    signatures,
    ...(reason === null ? {} : { reason }),
    ...(revision === null ? {} : { revision }),
    ...(replaced_by === null ? {} : { replaced_by }),
    ...(grant?.ok === true ? { grant: grant.value.terms.grant } : {}),
    receipt: row.end?.ended_receipt ?? row.proposed_receipt,
  };
}
