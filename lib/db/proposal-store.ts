import type pg from 'pg';

import { changeClasses } from '@/lib/authority/policy-revision';
import { proposalStates } from '@/lib/authority/proposal';
import type { EndRow, ListedProposal, ProofRow, ProposalRow, ProposalSignatureRow, ProposalStore } from '@/lib/ports/proposal-store';
import type { Tx } from '@/lib/ports/transaction';
import type { Digest, PersonId, ProposalId, ReceiptId, SessionId } from '@/lib/shared/ids';

import { bool, int, oneOf, orNull, text, texts, time, type Row } from './columns';
import { insertRows } from './insert-rows';
import { readingIn, transactionOf } from './open-transaction';
import { columnList, insertStatement, rows, statement, touched, type Columns } from './statements';

const proposedColumns = {
  id: 'text', target: 'text', state: 'text', origin: 'text', maker_kind: 'text', maker_id: 'text', session_id: 'text', base_revision: 'int4', base_digest: 'text',
  digest: 'text', text: 'text', format: 'text', text_digest: 'text', reason: 'text', rebased_from: 'text', proposed_at: 'timestamptz', proposed_receipt: 'text',
} as const satisfies Columns;
const laterColumns = {
  change: 'text', proof_digest: 'text', applicable: 'bool', proved_at: 'timestamptz', proved_receipt: 'text',
  ended_at: 'timestamptz', ended_by: 'text', ended_reason: 'text', ended_receipt: 'text', revision: 'int4', replaced_by: 'text',
} as const satisfies Columns;
const { text: _text, ...listedColumns } = proposedColumns;
const select = (columns: Columns): string => `SELECT ${columnList({ ...columns, ...laterColumns })} FROM "proposals" WHERE "workspace_id" = $1`;
const insertProposal = insertStatement('proposals', proposedColumns);
const find = statement('find_proposal', `${select(proposedColumns)} AND "id" = $2`);
const live = `"state" IN ('open', 'signed')`;
const lists = {
  live: statement('live_proposals', `${select(listedColumns)} AND ${live} ORDER BY "proposed_at" DESC, "id" DESC LIMIT $2`),
  ended: statement('ended_proposals', `${select(listedColumns)} AND NOT ${live} ORDER BY "ended_at" DESC, "id" DESC LIMIT $2`),
};
const count = statement(
  'count_proposals',
  `SELECT (count(*) FILTER (WHERE ${live}))::int4 AS "live", (count(*) FILTER (WHERE ${live} AND "maker_id" = $2))::int4 AS "live_of_maker",
     (count(*) FILTER (WHERE "maker_id" = $2 AND "proposed_at" > $3))::int4 AS "made_since"
   FROM "proposals" WHERE "workspace_id" = $1 AND (${live} OR ("maker_id" = $2 AND "proposed_at" > $3))`,
);
const prove = statement(
  'prove_proposal',
  `UPDATE "proposals" SET "change" = $4, "proof_digest" = $5, "applicable" = $6, "proved_at" = $7, "proved_receipt" = $8
   WHERE "workspace_id" = $1 AND "id" = $2 AND "state" = 'open' AND "proof_digest" IS NOT DISTINCT FROM $3`,
);
const move = statement(
  'move_proposal',
  `UPDATE "proposals" SET "state" = $4, "ended_at" = $5, "ended_by" = $6, "ended_reason" = $7, "ended_receipt" = $8, "revision" = $9, "replaced_by" = $10
   WHERE "workspace_id" = $1 AND "id" = $2 AND "state" = $3`,
);
const signatureColumns = {
  proposal_id: 'text', person_id: 'text', envelope: 'text', documents: 'text[]', proof_digest: 'text', signed_at: 'timestamptz', receipt_id: 'text',
} as const satisfies Columns;
const insertSignature = insertStatement('proposal_signatures', signatureColumns);
const signatures = statement(
  'proposal_signatures',
  `SELECT ${columnList(signatureColumns)} FROM "proposal_signatures" WHERE "workspace_id" = $1 AND "proposal_id" = ANY($2) ORDER BY "signed_at", "person_id"`,
);

export function postgresProposalStore(pool: pg.Pool, workspace: string): ProposalStore {
  const on = (tx?: Tx) => (tx ? readingIn(tx).client : pool);
  return {
    add: async (tx, { session, ...row }) => {
      await insertRows(transactionOf(tx).client, insertProposal, workspace, [{ ...row, state: 'open', session_id: session }]);
    },
    find: async (id, tx) => (await rows(on(tx), find, [workspace, id])).map(readProposal)[0],
    list: async (which, limit, tx) => (await rows(on(tx), lists[which], [workspace, limit])).map(readListed),
    count: async (maker, since, tx) => {
      const [row] = await rows(on(tx), count, [workspace, maker, since]);
      return { live: int(row?.['live']), live_of_maker: int(row?.['live_of_maker']), made_since: int(row?.['made_since']) };
    },
    prove: async (tx, id, from, { change, proof_digest, applicable, proved_at, proved_receipt }) =>
      (await touched(transactionOf(tx).client, prove, [workspace, id, from, change, proof_digest, applicable, proved_at, proved_receipt])) === 1,
    move: async (tx, id, from, to, end) => {
      const { ended_at = null, ended_by = null, ended_reason = null, ended_receipt = null, revision = null, replaced_by = null } = end ?? {};
      return (await touched(transactionOf(tx).client, move, [workspace, id, from, to, ended_at, ended_by, ended_reason, ended_receipt, revision, replaced_by])) === 1;
    },
    sign: async (tx, { proposal, person, receipt, ...row }) => {
      await insertRows(transactionOf(tx).client, insertSignature, workspace, [{ ...row, proposal_id: proposal, person_id: person, receipt_id: receipt }]);
    },
    signatures: async (ids, tx) => (ids.length === 0 ? [] : (await rows(on(tx), signatures, [workspace, [...ids]])).map(readSignature)),
  };
}

const makers = oneOf(['person', 'agent', 'orchestrator', 'enforcement_point', 'information_point', 'service']);

const readProposal = (row: Row): ProposalRow => ({ ...readListed(row), text: text(row['text']) });

const readListed = (row: Row): ListedProposal => ({
  id: text(row['id']) as ProposalId,
  target: oneOf(['policy', 'grant', 'allowlist'])(row['target']),
  state: oneOf(proposalStates)(row['state']),
  origin: oneOf(['console', 'agent', 'suggestion', 'rebase', 'file', 'guard_directory'])(row['origin']),
  maker_kind: makers(row['maker_kind']),
  maker_id: text(row['maker_id']),
  session: orNull(text)(row['session_id']) as SessionId | null,
  base_revision: orNull(int)(row['base_revision']),
  base_digest: orNull(text)(row['base_digest']) as Digest | null,
  digest: text(row['digest']) as Digest,
  format: oneOf(['yaml', 'json', 'markdown'])(row['format']),
  text_digest: text(row['text_digest']) as Digest,
  reason: orNull(text)(row['reason']),
  rebased_from: orNull(text)(row['rebased_from']) as ProposalId | null,
  proposed_at: time(row['proposed_at']),
  proposed_receipt: text(row['proposed_receipt']) as ReceiptId,
  proof: row['proof_digest'] === null ? null : readProof(row),
  end: row['ended_at'] === null ? null : readEnd(row),
});

const readProof = (row: Row): ProofRow => ({
  change: oneOf(changeClasses)(row['change']),
  proof_digest: text(row['proof_digest']) as Digest,
  applicable: bool(row['applicable']),
  proved_at: time(row['proved_at']),
  proved_receipt: text(row['proved_receipt']) as ReceiptId,
});

const readEnd = (row: Row): EndRow => ({
  ended_at: time(row['ended_at']),
  ended_by: text(row['ended_by']),
  ended_reason: orNull(text)(row['ended_reason']),
  ended_receipt: text(row['ended_receipt']) as ReceiptId,
  revision: orNull(int)(row['revision']),
  replaced_by: orNull(text)(row['replaced_by']) as ProposalId | null,
});

const readSignature = (row: Row): ProposalSignatureRow => ({
  proposal: text(row['proposal_id']) as ProposalId,
  person: text(row['person_id']) as PersonId,
  envelope: text(row['envelope']),
  documents: texts(row['documents']),
  proof_digest: text(row['proof_digest']) as Digest,
  signed_at: time(row['signed_at']),
  receipt: text(row['receipt_id']) as ReceiptId,
});
