import type { AbsentContent } from '@/lib/ledger/bundle';
import { sealsIn, type ContentItem } from '@/lib/ledger/content';
import { actionReferences, contentReferences } from '@/lib/ledger/content-references';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import type { ContentStore } from '@/lib/ports/content-store';
import type { Digest } from '@/lib/shared/ids';
import { ok, type Result } from '@/lib/shared/result';

import type { ExportRoom } from './export-room';

/**
 * What stays out although it is there: nothing; everything; or the sensitive arguments, with what repeats them in plain (what people
 * were shown of such an action, and its decision's snapshot). `digests` stay out in any case.
 */
export type Withholding = { readonly what: 'nothing' | 'sensitive' | 'all'; readonly digests: ReadonlySet<Digest> };

export type ExportedContents = { readonly contents: readonly ContentItem[]; readonly absent: readonly AbsentContent[] };

const contentsAtOnce = 500;

/** What the receipts name, and what is sealed inside it. Withheld or erased contents are listed, so that nobody takes them for lost. */
export async function exportedContents(store: ContentStore, bodies: readonly ReceiptBody[], withholding: Withholding, room: ExportRoom): Promise<Result<ExportedContents>> {
  const contents = new Map<Digest, ContentItem>();
  const erased = new Set<Digest>();
  const withheld = new Set<Digest>(withholding.digests);
  const present = new Set<Digest>();
  const sealed = new Map<Digest, readonly Digest[]>();
  const actions = new Set<Digest>(bodies.flatMap(actionReferences));
  let wanted: readonly Digest[] = [...new Set(bodies.flatMap(contentReferences))];
  while (wanted.length > 0) {
    for (let at = 0; at < wanted.length; at += contentsAtOnce) {
      const asked = wanted.slice(at, at + contentsAtOnce);
      const found = await store.find(asked);
      for (const digest of asked) {
        const item = found.get(digest);
        if (!item) {
          erased.add(digest);
          continue;
        }
        present.add(digest);
        const seals = actions.has(digest) ? sealsIn(item.value) : [];
        if (seals.length > 0) sealed.set(digest, seals);
        if (withholding.what === 'all') continue;
        const full = room.take(item.body.length + item.salt.length);
        if (full) return full;
        contents.set(digest, { digest, salt: item.salt, value: item.value });
      }
    }
    wanted = [...new Set([...sealed.values()].flat())].filter((digest) => !present.has(digest) && !erased.has(digest));
  }
  if (withholding.what === 'sensitive') for (const digest of repeating(bodies, sealed)) withheld.add(digest);
  const hidden = withholding.what === 'all' ? present : new Set([...withheld].filter((digest) => present.has(digest)));
  return ok({
    contents: [...contents.values()].filter(({ digest }) => !hidden.has(digest)),
    absent: [...[...hidden].map((digest) => ({ digest, why: 'withheld' }) as const), ...[...erased].map((digest) => ({ digest, why: 'erased' }) as const)],
  });
}

/** Sensitive arguments, and the contents in which they stand in plain. */
function repeating(bodies: readonly ReceiptBody[], sealed: ReadonlyMap<Digest, readonly Digest[]>): readonly Digest[] {
  const found = [...sealed.values()].flat();
  for (const { kind, predicate } of bodies) {
    if (kind === 'action_decided' && sealed.has(predicate.action.digest) && predicate.snapshot_digest !== null) found.push(predicate.snapshot_digest);
    if (kind === 'approval_requested' && sealed.has(predicate.action.digest) && predicate.held_digest !== undefined) found.push(predicate.held_digest);
  }
  return found;
}
