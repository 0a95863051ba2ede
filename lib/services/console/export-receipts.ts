import { readManifestPayload } from '@/lib/ledger/bundle-manifest';
import type { ExportQuery } from '@/lib/contracts/console/receipts';
import type { Actor } from '@/lib/ledger/predicates/fields';
import { exportBundle } from '@/lib/services/export-bundle';
import { digestOf } from '@/lib/shared/encoding';
import { isId, type ActionId, type ApprovalId, type DeferralId, type Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

export type ExportedFile = { readonly bytes: Uint8Array; readonly name: string };

/** What of the log, and what stays out. `case` is an action, or the request or deferral that it waited in. */
export type WantedExport = Partial<Pick<ExportQuery, 'from' | 'to' | 'session'>> & {
  readonly withhold: boolean;
  /** What the reader is handed, for the receipt: the bundle itself, or a report made of it. */
  readonly format?: 'bundle' | 'html';
  readonly case?: ActionId | ApprovalId | DeferralId;
  readonly withholdSensitive?: boolean;
  readonly withholdContents?: readonly Digest[];
};

/** A bundle for an auditor. That somebody took it out is a receipt of its own, written before the bytes leave. Failures: those of `exportBundle`. */
export async function exportReceipts(parts: ConsoleParts, by: Actor, wanted: WantedExport): Promise<Result<ExportedFile>> {
  const { from, to, session, withhold, format = 'bundle', withholdSensitive = false, withholdContents = [] } = wanted;
  const { sha256 } = parts.cryptography;
  const action = wanted.case === undefined || isId('action', wanted.case) ? wanted.case : await parts.approvals.actionOf(wanted.case);
  if (wanted.case !== undefined && action === undefined) return fail('not_found', 'There is no such request or deferral.');
  const exported = await exportBundle(
    { ...parts, sha256 },
    {
      withhold,
      withholdSensitive,
      withholdContents,
      now: await parts.reads.now(),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(session === undefined ? {} : { session }),
      ...(action === undefined ? {} : { case: action }),
    },
  );
  if (!exported.ok) return exported;
  const { bytes, withheld, ...range } = exported.value;
  const manifest = readManifestPayload(bytes);
  await parts.transactor.withHead(async (tx, { now }) => {
    const receipt = await parts.sign(
      'export_made',
      now,
      {
        by, from: range.from, to: range.to, receipts: range.receipts, format,
        withheld: withhold || withheld > 0,
        ...(range.session === undefined ? {} : { session: range.session }),
        ...(action === undefined ? {} : { case: action }),
        ...(manifest === undefined ? {} : { digest: digestOf(sha256, manifest) }),
      },
      { ...(by.kind === 'person' ? { person: by.id } : {}), ...(range.session === undefined ? {} : { session: range.session }) },
    );
    await parts.ledger.append(tx, [receipt]);
    await parts.events.publish(tx, [{ kind: 'log_grew', id: parts.workspace }]);
  });
  const part = action ?? range.session ?? `${range.from}-${range.to}`;
  return ok({ bytes, name: `countersign-${part}.json` });
}
