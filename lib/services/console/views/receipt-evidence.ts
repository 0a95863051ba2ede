import type { ReceiptEvidence } from '@/lib/contracts/console/receipt-evidence';
import { contentReferences } from '@/lib/ledger/content-references';
import { leafText, previousOf } from '@/lib/ledger/leaf';
import type { ReceiptBody, ReceiptKind } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { LogRow } from '@/lib/ports/ledger-reader';
import { parseEnvelope } from '@/lib/shared/dsse';
import { isDigest, type ReceiptId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';

type Parts = Pick<ConsoleParts, 'log' | 'authority' | 'content' | 'cryptography'>;

/** An action's whole life fits many times over; the bound keeps one that was decided again and again from filling the answer. */
const mostReceipts = 120;
const mostAuthority = 200;
const authorityKinds: readonly ReceiptKind[] = ['trust_root_changed', 'roster_changed'];

/** What the browser judges the receipt's action by. Content is sent as stored, with its seals closed. Failures: `not_found`. */
export async function receiptEvidence(parts: Parts, id: ReceiptId): Promise<Result<ReceiptEvidence>> {
  const row = await parts.log.byId(id);
  if (!row) return fail('not_found', 'There is no such receipt.');
  const found = row.action === undefined ? { rows: [row], next: null } : await parts.log.search({ action: row.action }, { limit: mostReceipts });
  const last = found.rows[0]?.index ?? row.index;
  const authority = await Promise.all(authorityKinds.map(async (kind) => (await parts.log.search({ kind }, { limit: mostAuthority, before: last + 1n })).rows));
  const rows = new Map([...found.rows, row, ...authority.flat()].map((one) => [one.index, one]));
  const ordered = [...rows.values()].sort((a, b) => (a.index < b.index ? -1 : 1));
  const bodies = ordered.flatMap((one) => bodyOf(parts, one));
  return ok({
    leaves: await Promise.all(ordered.map((one) => leafOf(parts, one))),
    rosters: await rostersOf(parts, bodies),
    ...(await contentsOf(parts, bodies)),
    policies: await policiesOf(parts, bodies),
    cut: found.next !== null,
  });
}

/** One that cannot be read is sent all the same: the browser says so. */
function bodyOf({ cryptography }: Parts, { envelope: text }: LogRow): ReceiptBody[] {
  const envelope = parseEnvelope(text);
  const body = envelope.ok ? readStatement(cryptography.sha256, envelope.value) : envelope;
  return body.ok ? [body.value] : [];
}

async function leafOf({ log }: Parts, { index, envelope }: LogRow): Promise<string> {
  const before = index === 0n ? undefined : await log.byIndex(index - 1n);
  return leafText(envelope, Number(index), previousOf(before?.leaf_hash));
}

async function rostersOf({ authority }: Parts, bodies: readonly ReceiptBody[]): Promise<readonly string[]> {
  const versions = new Set(bodies.flatMap(({ kind, predicate }) => (kind === 'roster_changed' ? [predicate.version] : [])));
  return (await authority.rosters()).filter(({ version }) => versions.has(version)).sort((a, b) => a.version - b.version).map(({ envelope }) => envelope);
}

async function contentsOf({ content }: Parts, bodies: readonly ReceiptBody[]): Promise<Pick<ReceiptEvidence, 'contents' | 'absent'>> {
  const named = [...new Set(bodies.flatMap(contentReferences))];
  const stored = await content.find(named);
  return {
    contents: named.flatMap((digest) => {
      const item = stored.get(digest);
      return item ? [{ digest, salt: item.salt, value: item.value }] : [];
    }),
    absent: named.filter((digest) => !stored.has(digest)).map((digest) => ({ digest, why: 'erased' })),
  };
}

async function policiesOf({ authority }: Parts, bodies: readonly ReceiptBody[]): Promise<ReceiptEvidence['policies']> {
  const digests = new Set<string>(bodies.flatMap(({ kind, predicate }) => (kind === 'action_decided' && predicate.policy !== null ? [predicate.policy.digest] : [])));
  if (digests.size === 0) return [];
  const seen = new Set<string>();
  return (await authority.policies(Number.MAX_SAFE_INTEGER)).flatMap(({ digest, text }) => {
    if (!isDigest(digest) || !digests.has(digest) || seen.has(digest)) return [];
    seen.add(digest);
    return [{ digest, text }];
  });
}
