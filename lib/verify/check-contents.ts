import type { Bundle } from '@/lib/ledger/bundle';
import { isContentWhole, sealsIn } from '@/lib/ledger/content';
import { actionReferences, contentReferences } from '@/lib/ledger/content-references';
import type { Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

import type { Entry } from './parse-entries';
import { failed, passed, unknown, type Check } from './report';

/** Each content has the digest that it is listed under, and a receipt (or a seal in such a content) names it. */
export function checkContents({ contents, absent }: Bundle, entries: readonly Entry[], sha256: Sha256): Check {
  const present = new Map(contents.map((item) => [item.digest, item]));
  if (present.size !== contents.length) return failed('contents', 'A content appears twice.');
  const altered = contents.find((item) => !isContentWhole(sha256, item));
  if (altered) return failed('contents', `Content ${altered.digest} is not what its digest says.`);
  if (new Set(absent.map(({ digest }) => digest)).size !== absent.length) return failed('contents', 'A content is listed as absent twice.');
  const both = absent.find(({ digest }) => present.has(digest));
  if (both) return failed('contents', `Content ${both.digest} is listed as absent, yet here.`);
  const named = new Set<Digest>(entries.flatMap(({ body }) => (body ? contentReferences(body) : [])));
  const actions = new Set<Digest>(entries.flatMap(({ body }) => (body ? actionReferences(body) : [])));
  for (const item of contents) if (actions.has(item.digest)) for (const sealed of sealsIn(item.value)) named.add(sealed);
  const stray = contents.find(({ digest }) => !named.has(digest));
  if (stray) return failed('contents', `No receipt names content ${stray.digest}.`);
  // What an absent content held sealed cannot be seen, so the list of absent ones may be longer than what is named.
  const missing = named.size - present.size - absent.filter(({ digest }) => named.has(digest)).length;
  if (missing > 0) return unknown('contents', `${missing} of ${named.size} contents are missing, and the exporter does not say why.`);
  const erased = absent.filter(({ why }) => why === 'erased');
  const recorded = new Set(entries.flatMap(({ body }) => (body?.kind === 'content_erased' ? body.predicate.digests : [])));
  // Whoever lost content, or hides it, could say so too: only a receipt tells erasing from that.
  const unrecorded = erased.filter(({ digest }) => !recorded.has(digest)).length;
  if (unrecorded > 0) return unknown('contents', `${unrecorded} of ${named.size} contents are said to be erased, and no receipt here says by whom.`);
  return passed('contents', `${present.size} contents; ${absent.length - erased.length} withheld, ${erased.length} erased.`);
}
