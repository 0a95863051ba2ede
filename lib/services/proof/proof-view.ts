import type { ProofView, ShadowView } from '@/lib/contracts/console/proofs';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { parseProof, type PolicyProof } from '@/lib/policy/proof';
import type { ProposalRow } from '@/lib/ports/proposal-store';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { openContent } from '@/lib/services/action-content';
import { asJson } from '@/lib/shared/as-json';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import type { Digest, ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { parseShadowCounts } from './shadow-counts';

type Parts = Pick<ConsoleParts, 'proposals' | 'proofJobs' | 'shadows' | 'content' | 'cryptography' | 'inForce'>;

const listed = 200;

/** All that was found out about a proposal, how far work on it is, and its shadow. `not_found`. */
export async function proofView(parts: Parts, viewer: Viewer, id: ProposalId): Promise<Result<ProofView>> {
  const row = await parts.proposals.find(id);
  if (!row) return fail('not_found', 'There is no such proposal.');
  const [proof, job, shadow] = await Promise.all([proofOf(parts, row), parts.proofJobs.find(id), shadowOf(parts, id)]);
  const isLive = row.state === 'open' || row.state === 'signed';
  const shown = job && { state: job.stale ? 'failed' : job.state, phase: job.phase, percent: job.percent, detail: job.stale ? 'The process that worked on it ended.' : job.detail, started_at: job.started_at } as const;
  return ok({
    proposal: id, proof, proof_digest: row.proof?.proof_digest ?? null, applicable: row.proof?.applicable ?? null, proved_at: row.proof?.proved_at ?? null, job: shown ?? null, shadow,
    may: { prove: row.state === 'open' && row.target === 'policy' && viewer.permissions.includes('policy.draft'), shadow: isLive && row.target === 'policy' && viewer.permissions.includes('policy.sign') },
  });
}

/** The proof as content; null when there is none, or its row is not what its digest covers. */
export async function proofOf(parts: Pick<Parts, 'content' | 'cryptography'>, row: Pick<ProposalRow, 'proof'>): Promise<PolicyProof | null> {
  const digest: Digest | undefined = row.proof?.proof_digest;
  const value = digest === undefined ? null : await openContent(parts.content, parts.cryptography.sha256, digest);
  const read = value === null || typeof value !== 'object' ? undefined : parseProof(canonicalBytes(asJson(value)));
  return read?.ok === true ? read.value : null;
}

async function shadowOf({ shadows, inForce }: Parts, id: ProposalId): Promise<ShadowView | null> {
  const row = await shadows.find(id);
  if (!row) return null;
  const { started_by, started_at, ends_at, ended_at, ended_why, receipts, decisions, replayed, differing } = row;
  const { roster } = await inForce.current();
  const name = roster?.roster.people.find((person) => person.id === started_by)?.name ?? started_by;
  return { ...parseShadowCounts(row.counts), started_by: name, started_at, ends_at, ended_at, ended_why, receipts, decisions, replayed, differing, listed: await shadows.differences(id, listed) };
}
