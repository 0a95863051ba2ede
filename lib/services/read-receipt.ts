import type { CheckpointView, InclusionView } from '@/lib/contracts/plane/log';
import { inclusionProof } from '@/lib/ledger/merkle/prove';
import { writeInclusionDocument } from '@/lib/ledger/inclusion-document';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import type { Sha256 } from '@/lib/shared/encoding';
import { isId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { parseOwnJson } from '@/lib/shared/parse-own-json';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { Caller } from './caller';
import { mayUseAction } from './may-use-action';

/** What a credential of the plane may read of the log: receipts of agents it acts for, the latest checkpoint, and proofs. */
export function receiptReader(reader: LedgerReader, sha256: Sha256) {
  async function find(caller: Caller, id: string): Promise<Result<LogRow>> {
    const row = isId('receipt', id) ? await reader.byId(id) : undefined;
    if (row?.agent === undefined || !mayUseAction(caller, { agent: row.agent })) return fail('not_found', 'There is no such receipt.');
    return ok(row);
  }
  return {
    read: async (caller: Caller, id: string): Promise<Result<Json>> => {
      const row = await find(caller, id);
      if (!row.ok) return row;
      const { index, kind, at, envelope } = row.value;
      return ok({ id: row.value.id, index: Number(index), kind, at, envelope: parseOwnJson(envelope) });
    },
    checkpoint: async (): Promise<Result<CheckpointView>> => {
      const latest = await reader.latestCheckpoint();
      return latest ? ok({ checkpoint: latest.note }) : fail('not_found', 'There is no checkpoint yet.');
    },
    /** The C2SP tlog-proof of a receipt under the smallest checkpoint that covers it. */
    prove: async (caller: Caller, id: string): Promise<Result<InclusionView>> => {
      const row = await find(caller, id);
      if (!row.ok) return row;
      const checkpoint = await reader.checkpointCovering(row.value.index + 1n);
      if (!checkpoint) return fail('unavailable', 'No checkpoint covers this receipt yet.', { fix: 'Ask again in a second.' });
      const index = Number(row.value.index);
      const path = await inclusionProof(sha256, reader.hashes, index, Number(checkpoint.size));
      return ok({ index, size: Number(checkpoint.size), proof: writeInclusionDocument({ index, path, checkpoint: checkpoint.note }) });
    },
  };
}
