import type { ExportQuery } from '@/lib/contracts/console/receipts';
import type { Actor } from '@/lib/ledger/predicates/fields';
import { exportBundle } from '@/lib/services/export-bundle';
import { envelopePayload, readEnvelope } from '@/lib/shared/dsse';
import { digestOf, fromUtf8 } from '@/lib/shared/encoding';
import { ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

export type ExportedFile = { readonly bytes: Uint8Array; readonly name: string };

/** A bundle for an auditor. That somebody took it out is a receipt of its own, written before the bytes leave. Failures: those of `exportBundle`. */
export async function exportReceipts(parts: ConsoleParts, by: Actor, { from, to, session, withhold }: ExportQuery): Promise<Result<ExportedFile>> {
  const { sha256 } = parts.cryptography;
  const exported = await exportBundle(
    { ...parts, sha256 },
    {
      withhold,
      now: await parts.reads.now(),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(session === undefined ? {} : { session }),
    },
  );
  if (!exported.ok) return exported;
  const range = { from: exported.value.from, to: exported.value.to };
  const manifest = manifestOf(exported.value.bytes);
  await parts.transactor.withHead(async (tx, { now }) => {
    const receipt = await parts.sign(
      'export_made',
      now,
      {
        by, ...range, withheld: withhold,
        ...(session === undefined ? {} : { session }),
        ...(manifest === undefined ? {} : { digest: digestOf(sha256, manifest) }),
      },
      { ...(by.kind === 'person' ? { person: by.id } : {}), ...(session === undefined ? {} : { session }) },
    );
    await parts.ledger.append(tx, [receipt]);
    await parts.events.publish(tx, [{ kind: 'log_grew', id: parts.workspace }]);
  });
  const part = session ?? `${range.from}-${range.to}`;
  return ok({ bytes: exported.value.bytes, name: `countersign-${part}.json` });
}

/** The exact bytes of the bundle's manifest, as its receipt names them. */
function manifestOf(bundle: Uint8Array): Uint8Array | undefined {
  const value: unknown = JSON.parse(fromUtf8(bundle) ?? 'null');
  const envelope = typeof value === 'object' && value !== null && 'manifest' in value ? readEnvelope(value.manifest) : undefined;
  return envelope && envelopePayload(envelope);
}
