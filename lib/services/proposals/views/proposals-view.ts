import type { ProposalsView } from '@/lib/contracts/console/proposals';
import type { ListedProposal } from '@/lib/ports/proposal-store';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { inForceReference } from '@/lib/services/console/policy-base';
import type { ProposalId } from '@/lib/shared/ids';

import { restingProposals } from '../outdate-proposals';
import { proposalBounds } from '../proposal-bounds';
import { textOfBase } from '../text-of-base';
import { askedFor, asksForNothing, proposalCard, type AskedFor } from './proposal-card';

const mostEnded = 50;
/** Live cards whose rules are looked up; each takes its text. */
const mostNamed = 60;

/** What proposals ask for, which never changes: each is read once a process, of so many at the most. */
const known = new Map<ProposalId, AskedFor>();
const mostKnown = 1000;

/** Every live proposal, and the newest of those that have ended. Rows only: what counts is checked where somebody looks closer, and signs. */
export async function proposalsView(parts: ConsoleParts): Promise<ProposalsView> {
  const inForce = await parts.inForce.current();
  const [live, ended] = await Promise.all([parts.proposals.list('live', 2 * proposalBounds.live), parts.proposals.list('ended', mostEnded)]);
  const reference = inForceReference(inForce);
  const resting = restingProposals(live, reference);
  const signatures = await parts.proposals.signatures([...live, ...ended].map(({ id }) => id));
  const now = await parts.reads.now();
  const asked = new Map<ProposalId, AskedFor>();
  for (const row of [...live.slice(0, mostNamed), ...ended]) asked.set(row.id, known.get(row.id) ?? (await read(parts, row)));
  const card = (row: ListedProposal) => proposalCard(row, { inForce, signatures, resting, notCounted: row.maker_kind === 'person' ? [row.maker_id] : [], asked: asked.get(row.id) ?? asksForNothing, now });
  return { live: live.map(card), ended: ended.map(card), in_force: reference };
}

async function read(parts: ConsoleParts, { id, target, base_digest }: ListedProposal): Promise<AskedFor> {
  const row = await parts.proposals.find(id);
  const base = target !== 'policy' || base_digest === null ? { text: '' } : await textOfBase(parts, base_digest);
  if (!row || !base) return asksForNothing;
  const asked = askedFor(row, base.text, parts.cryptography);
  const [oldest] = known.keys();
  if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
  known.set(id, asked);
  return asked;
}
