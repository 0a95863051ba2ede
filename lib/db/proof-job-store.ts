import type pg from 'pg';

import { proofJobStates, proofPhases } from '@/lib/contracts/console/proofs';
import type { ProofJobRow, ProofJobStore } from '@/lib/ports/proof-job-store';
import type { ProposalId } from '@/lib/shared/ids';

import { bool, int, oneOf, orNull, text, time, type Row } from './columns';
import { rows, statement, touched } from './statements';

/** A runner beats each second; so long without a beat is one that died, or that the machine has stopped. */
const staleAfter = `interval '15 seconds'`;
const isStale = `("state" = 'running' AND "beat_at" < clock_timestamp() - ${staleAfter})`;

const find = statement(
  'find_proof_job',
  `SELECT "proposal_id", "state", "runner", "phase", "percent", "detail", "started_at", "beat_at", ${isStale} AS "stale" FROM "proof_jobs" WHERE "workspace_id" = $1 AND "proposal_id" = $2`,
);
const ask = statement(
  'ask_for_proof',
  `INSERT INTO "proof_jobs" AS j ("workspace_id", "proposal_id", "state", "runner", "phase", "percent", "started_at", "beat_at")
     VALUES ($1, $2, 'waiting', '', 'reading', 0, clock_timestamp(), clock_timestamp())
   ON CONFLICT ("workspace_id", "proposal_id") DO UPDATE SET "state" = 'waiting', "runner" = '', "phase" = 'reading', "percent" = 0, "detail" = NULL,
     "started_at" = clock_timestamp(), "beat_at" = clock_timestamp(), "cancel_asked" = false
   WHERE j."state" NOT IN ('waiting', 'running') OR (j."state" = 'running' AND j."beat_at" < clock_timestamp() - ${staleAfter})`,
);
const toDo = statement('proofs_to_do', `SELECT "proposal_id" FROM "proof_jobs" WHERE "workspace_id" = $1 AND ("state" = 'waiting' OR ${isStale}) ORDER BY "started_at", "proposal_id" LIMIT 100`);
const unasked = statement(
  'proofs_unasked',
  `SELECT p."id" FROM "proposals" AS p WHERE p."workspace_id" = $1 AND p."state" = 'open' AND p."target" = 'policy' AND p."proof_digest" IS NULL
     AND NOT EXISTS (SELECT 1 FROM "proof_jobs" AS j WHERE j."workspace_id" = $1 AND j."proposal_id" = p."id") ORDER BY p."proposed_at", p."id" LIMIT $2`,
);
const claim = statement(
  'claim_proof_job',
  `INSERT INTO "proof_jobs" AS j ("workspace_id", "proposal_id", "state", "runner", "phase", "percent", "started_at", "beat_at")
     VALUES ($1, $2, 'running', $3, 'reading', 0, clock_timestamp(), clock_timestamp())
   ON CONFLICT ("workspace_id", "proposal_id") DO UPDATE SET "state" = 'running', "runner" = $3, "phase" = 'reading', "percent" = 0, "detail" = NULL,
     "started_at" = clock_timestamp(), "beat_at" = clock_timestamp(), "cancel_asked" = false
   WHERE j."state" <> 'running' OR j."beat_at" < clock_timestamp() - ${staleAfter}`,
);
const beat = statement(
  'beat_proof_job',
  `UPDATE "proof_jobs" SET "phase" = $4, "percent" = $5, "beat_at" = clock_timestamp()
   WHERE "workspace_id" = $1 AND "proposal_id" = $2 AND "runner" = $3 AND "state" = 'running' RETURNING "cancel_asked"`,
);
const end = statement(
  'end_proof_job',
  `UPDATE "proof_jobs" SET "state" = $4, "detail" = $5, "percent" = CASE WHEN $4 = 'done' THEN 100 ELSE "percent" END
   WHERE "workspace_id" = $1 AND "proposal_id" = $2 AND "runner" = $3 AND "state" = 'running'`,
);
const cancel = statement('cancel_proof_job', `UPDATE "proof_jobs" SET "cancel_asked" = true, "state" = CASE WHEN "state" = 'waiting' THEN 'cancelled' ELSE "state" END
   WHERE "workspace_id" = $1 AND "proposal_id" = $2 AND "state" IN ('waiting', 'running')`);

export const postgresProofJobStore = (pool: pg.Pool, workspace: string): ProofJobStore => ({
  find: async (proposal) => (await rows(pool, find, [workspace, proposal])).map(readJob)[0],
  ask: async (proposal) => (await touched(pool, ask, [workspace, proposal])) === 1,
  toDo: async () => (await rows(pool, toDo, [workspace])).map((row) => text(row['proposal_id']) as ProposalId),
  unasked: async (limit) => (await rows(pool, unasked, [workspace, limit])).map((row) => text(row['id']) as ProposalId),
  claim: async (proposal, runner) => (await touched(pool, claim, [workspace, proposal, runner])) === 1,
  beat: async (proposal, runner, phase, percent) => {
    const [row] = await rows(pool, beat, [workspace, proposal, runner, phase, percent]);
    if (!row) return 'lost';
    return bool(row['cancel_asked']) ? 'cancelled' : 'go_on';
  },
  end: async (proposal, runner, state, detail) => void (await touched(pool, end, [workspace, proposal, runner, state, detail])),
  askToCancel: async (proposal) => (await touched(pool, cancel, [workspace, proposal])) === 1,
});

const readJob = (row: Row): ProofJobRow => ({
  proposal: text(row['proposal_id']) as ProposalId,
  state: oneOf(proofJobStates)(row['state']),
  runner: text(row['runner']),
  phase: oneOf(proofPhases)(row['phase']),
  percent: int(row['percent']),
  detail: orNull(text)(row['detail']),
  started_at: time(row['started_at']),
  beat_at: time(row['beat_at']),
  stale: bool(row['stale']),
});
