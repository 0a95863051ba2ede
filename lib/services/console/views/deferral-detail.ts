import type { HeldArgument } from '@/lib/approvals/held-action';
import { isWithin, leavesOf } from '@/lib/approvals/leaves';
import type { Snapshot } from '@/lib/context/snapshot';
import type { DeferralDetail } from '@/lib/contracts/console/deferrals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { openAction, openContent, type OpenedAction } from '@/lib/services/action-content';
import type { DeferralId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import { parseSnapshot } from '@/lib/verify/parse-snapshot';

import type { ConsoleParts } from '../console-parts';
import { receiptsOfAction } from '../receipts-of-action';
import { sightOf } from '../sight';

/** One deferred action in full: its arguments with where each came from, and what it was asked to do. Failures: `not_found`. */
export async function deferralDetail(parts: ConsoleParts, viewer: Viewer, id: DeferralId): Promise<Result<DeferralDetail>> {
  const action = await parts.reads.deferredAction(sightOf(viewer), id);
  const row = action === null ? undefined : (await parts.actions.find([action])).get(action);
  if (!row) return fail('not_found', 'Nothing waits under this id, or you may not see it.');
  const { sha256 } = parts.cryptography;
  const [opened, stored, logged] = await Promise.all([
    openAction(parts.content, sha256, row.asked),
    row.snapshot === null ? null : openContent(parts.content, sha256, row.snapshot),
    receiptsOfAction(parts.log, row.id),
  ]);
  const snapshot = stored === null ? undefined : parseSnapshot(stored);
  return ok({
    id,
    arguments: opened.ok ? argumentsOf(opened.value, snapshot) : null,
    requests: snapshot?.requests ?? [],
    labels: snapshot?.labels ?? [],
    agent_reason: row.reason,
    receipts: logged.map((receipt) => ({ id: receipt.id, index: Number(receipt.index), kind: receipt.kind, at: receipt.at })),
  });
}

/** A value that was not traced counts as made up. */
const argumentsOf = ({ parameters }: OpenedAction, snapshot: Snapshot | undefined): readonly HeldArgument[] =>
  leavesOf(parameters).map(({ path, value }) => {
    const found = snapshot?.provenance.find((one) => one.path === path) ?? snapshot?.provenance.find((one) => isWithin(path, one.path));
    return { path, value, source: found?.source ?? 'nowhere', ...(found?.where === undefined ? {} : { where: found.where }) };
  });
