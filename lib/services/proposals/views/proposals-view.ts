import type { ProposalsView, ProposedGrant } from '@/lib/contracts/console/proposals';
import type { ListedProposal } from '@/lib/ports/proposal-store';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { inForceReference } from '@/lib/services/console/policy-base';

import { restingProposals } from '../outdate-proposals';
import { proposalBounds } from '../proposal-bounds';
import { textOfBase } from '../text-of-base';
import { proposalCard, proposedGrant } from './proposal-card';

const mostEnded = 50;
/** Cards whose rules are looked up; each takes its text. */
const mostNamed = 60;

/** Every live proposal, and the newest of those that have ended. Rows only: what counts is checked where somebody looks closer, and signs. */
export async function proposalsView(parts: ConsoleParts): Promise<ProposalsView> {
  const inForce = await parts.inForce.current();
  const [live, ended] = await Promise.all([parts.proposals.list('live', 2 * proposalBounds.live), parts.proposals.list('ended', mostEnded)]);
  const reference = inForceReference(inForce);
  const resting = restingProposals(live, reference);
  const signatures = await parts.proposals.signatures([...live, ...ended].map(({ id }) => id));
  const now = await parts.reads.now();
  const texts = new Map<string, { readonly before: string; readonly after: string; readonly grant: ProposedGrant | null }>();
  for (const row of live.slice(0, mostNamed)) {
    const found = await textsOf(parts, row, inForce.policy);
    if (found) texts.set(row.id, found);
  }
  const card = (row: ListedProposal) => proposalCard(row, { inForce, signatures, resting, notCounted: row.maker_kind === 'person' ? [row.maker_id] : [], texts: texts.get(row.id) ?? null, grant: texts.get(row.id)?.grant ?? null, now });
  return { live: live.map(card), ended: ended.map(card), in_force: reference };
}

async function textsOf(parts: ConsoleParts, { id, base_digest }: ListedProposal, policy: { readonly digest: string; readonly text: string } | null) {
  const row = await parts.proposals.find(id);
  const before = base_digest === null ? '' : base_digest === policy?.digest ? policy.text : (await textOfBase(parts, base_digest))?.text;
  return row && before !== undefined ? { before, after: row.text, grant: proposedGrant(row, parts.cryptography) } : undefined;
}
