import { statementPayload, type GrantStatement } from '@/lib/authority/owner-statements';
import type { ProposeGrantBody } from '@/lib/contracts/plane/proposals';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { actorOf, type Caller } from '@/lib/services/caller';
import { askedGrant } from '@/lib/services/grants/asked-grant';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { fromUtf8 } from '@/lib/shared/encoding';
import type { ProposalId } from '@/lib/shared/ids';
import { asJson } from '@/lib/shared/as-json';
import { fail, type Result } from '@/lib/shared/result';
import { isTimestamp } from '@/lib/shared/timestamp';

import { addProposal, type MadeProposal } from './add-proposal';
import { hadAHand } from './had-a-hand';
import { proposalBounds } from './proposal-bounds';
import type { ProposalParts } from './proposal-parts';

export type AskedGrant = Omit<ProposeGrantBody, 'target'>;

/**
 * An agent asks for a grant of its own. What is proposed is the document of the grant, as owners would sign it; the agent's reason stays outside,
 * because they vouch for what they sign. Failures: `grant_invalid`, `conflict` (asked for already), and those of `addProposal`.
 */
export async function proposeGrant(parts: ProposalParts, caller: Caller, asked: AskedGrant, id: ProposalId, besides?: (at: string) => Promise<readonly SignedReceipt[]>): Promise<Result<MadeProposal>> {
  const inForce = await parts.inForce.refresh();
  const catalogue = inForce.policy?.compiled.catalogue;
  if (!catalogue) return fail('policy_unsigned', 'Without a policy in force nothing says what a grant would give.');
  const [{ now }, { expires_at }] = [await parts.authority.position(), asked];
  if (!isTimestamp(now) || !isTimestamp(expires_at)) return fail('grant_invalid', 'The end cannot be read as a time.');
  const terms: GrantStatement = {
    grant: parts.ids.make('grant'), agent: caller.subject, tool: catalogue.aliases.get(asked.tool) ?? asked.tool, operation: asked.operation ?? null, scope: asked.scope ?? null, uses: asked.uses, expires_at,
  };
  const text = fromUtf8(statementPayload('grant', parts.workspace, terms, now));
  if (text === undefined) throw new Error('A document of ours is not UTF-8.');
  const same = await askedAlready(parts, caller, terms);
  if (same !== undefined) return fail('conflict', `Exactly this is proposed already, as ${same}.`, { fix: `Follow ${same}.` });
  const hands = await hadAHand(parts, inForce, caller.subject, asked.session);
  if (!hands.ok) return hands;
  return await addProposal(
    parts,
    { id, target: 'grant', origin: 'agent', text, format: 'json', base: null, reason: asked.reason ?? null, by: actorOf(caller), notCounted: hands.value, ...(asked.session === undefined ? {} : { session: asked.session }) },
    besides,
  );
}

/** A request that was sent twice is one card. Two at the same moment are two, which is no harm. */
async function askedAlready(parts: ProposalParts, caller: Caller, { grant: _own, ...terms }: GrantStatement): Promise<ProposalId | undefined> {
  const wanted = canonicalJson(asJson(terms));
  for (const { id, target, maker_kind, maker_id } of await parts.proposals.list('live', 2 * proposalBounds.live)) {
    if (target !== 'grant' || maker_kind !== 'agent' || maker_id !== caller.subject) continue;
    const row = await parts.proposals.find(id);
    const other = row && askedGrant(row.text, parts.cryptography);
    if (!other?.ok) continue;
    const { grant: _its, ...its } = other.value.terms;
    if (canonicalJson(asJson(its)) === wanted) return id;
  }
  return undefined;
}
