import { originOf, parseCheckpoint, type Checkpoint } from '@/lib/ledger/checkpoint';
import { consistencyProof, MissingHashes } from '@/lib/ledger/merkle/prove';
import { verifyConsistency } from '@/lib/ledger/merkle/verify-proof';
import type { CheckpointSink } from '@/lib/ports/checkpoint-sink';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import { bytesEqual, type Sha256 } from '@/lib/shared/encoding';
import type { WorkspaceId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ExportState } from './checkpoint-health';

/** How often a checkpoint goes out while the log grows, milliseconds. */
export const exportMs = 60_000;

export type CheckpointExport = {
  readonly name: string;
  readonly state: () => ExportState;
  /** Exports when it is time to. `final`: the process ends, so whatever is left goes now. Never throws. */
  readonly round: (nowMs: number, final: boolean) => Promise<void>;
};

type Parts = { readonly workspace: WorkspaceId; readonly reader: Pick<LedgerReader, 'latestCheckpoint' | 'hashes'>; readonly sha256: Sha256 };

/**
 * Hands the newest checkpoint to a place outside. A newer one takes the place of one that did not arrive: it says the same and more.
 *
 * INVARIANT: what goes out is proved to go on from what went out before. So a database that was set back or replaced is found here as
 * well, and never overwrites the evidence of it.
 */
export function checkpointExport(parts: Parts, sink: CheckpointSink): CheckpointExport {
  let state: ExportState = { size: null, failing_since: null, fault: null };
  let next = 0;
  return {
    name: sink.name,
    state: () => state,
    round: async (nowMs, final) => {
      if (!final && nowMs < next) return;
      const sent = await attempt(parts, sink, nowMs, final).catch((cause: unknown) => fail('unavailable', sentenceOf(cause), { cause }));
      if (sent.ok) {
        if (sent.value.kind === 'later') return void (next = Math.min(sent.value.at, nowMs + exportMs));
        state = { size: sent.value.size ?? state.size, failing_since: null, fault: null };
        // A log without a checkpoint is at its beginning: its first one goes out as soon as it is there.
        next = nowMs + (sent.value.size === null ? retryMs : exportMs);
        return;
      }
      state = { ...state, failing_since: state.failing_since ?? new Date(nowMs).toISOString(), fault: sent.error.detail };
      // The sink says when it may be asked again; until then its answer is `later`.
      next = nowMs + retryMs;
    },
  };
}

/** How soon a failed export, and a log that has no checkpoint yet, is looked at again, milliseconds; a sink that backs off answers by itself. */
const retryMs = 5000;

type Sent = { readonly kind: 'sent'; readonly size: number | null } | { readonly kind: 'later'; readonly at: number };

async function attempt({ workspace, reader, sha256 }: Parts, sink: CheckpointSink, nowMs: number, final: boolean): Promise<Result<Sent>> {
  const latest = await reader.latestCheckpoint();
  if (!latest) return ok({ kind: 'sent', size: null });
  const before = await sink.newest();
  if (!before.ok) return before;
  const head = parseCheckpoint(latest.note);
  if (!head.ok) return head;
  if (before.value !== null) {
    const known = parseCheckpoint(before.value);
    if (!known.ok) return fail('ledger_broken', `What was exported to ${sink.name} before is no checkpoint.`, { cause: known.error });
    if (known.value.origin !== originOf(workspace)) return fail('rollback_detected', `What was exported to ${sink.name} before is of another log.`);
    if (!(await goesOn(sha256, reader, known.value, head.value))) {
      return fail('rollback_detected', `The log does not go on from the checkpoint of size ${String(known.value.size)} that was exported to ${sink.name}.`);
    }
    if (known.value.size === head.value.size) return ok({ kind: 'sent', size: head.value.size });
  }
  const given = await sink.take(latest.note, nowMs, final);
  if (!given.ok) return given;
  return ok(given.value.kind === 'later' ? given.value : { kind: 'sent', size: head.value.size });
}

async function goesOn(sha256: Sha256, { hashes }: Parts['reader'], known: Checkpoint, head: Checkpoint): Promise<boolean> {
  if (known.size > head.size) return false;
  if (known.size === head.size || known.size === 0) return known.size === 0 || bytesEqual(known.root, head.root);
  try {
    const proof = await consistencyProof(sha256, hashes, known.size, head.size);
    return verifyConsistency(sha256, known.size, head.size, known.root, head.root, proof);
  } catch (cause) {
    if (cause instanceof MissingHashes) return false;
    throw cause;
  }
}

const sentenceOf = (cause: unknown): string => (cause instanceof Error ? cause.message : 'The export failed.');
