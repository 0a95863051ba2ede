import { differencesOf } from '@/lib/approvals/differences';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { gainedLabels } from '@/lib/context/label-ledger';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import { withChanges } from './changed-requests';
import { ofKind, type Entry } from './parse-entries';

type Request = ReceiptPredicate<'approval_requested'>;

/**
 * A request that took the place of a stale one is about the same action, gains no time by it, and told its approvers what had changed:
 * where the bundle has what was held in both, that is found out again. Gives the first that does not hold. What lies before the bundle
 * is not judged.
 */
export function faultOfSuccessors(entries: readonly Entry[], contents: ReadonlyMap<Digest, Json>): { readonly index: number; readonly detail: string } | undefined {
  const requests = ofKind(entries, 'approval_requested');
  const ends = ofKind(entries, 'approval_resolved');
  for (const { index, predicate } of requests) {
    const found = requests.find((one) => one.index < index && one.predicate.approval === predicate.supersedes);
    if (!found) continue;
    const before = withChanges(found, index, entries);
    const end = ends.find((one) => one.predicate.approval === before.approval)?.predicate;
    const detail = faultOf(before, predicate, end, contents);
    if (detail !== undefined) return { index, detail };
  }
  return undefined;
}

function faultOf(before: Request, after: Request, end: ReceiptPredicate<'approval_resolved'> | undefined, contents: ReadonlyMap<Digest, Json>): string | undefined {
  if (end?.state !== 'stale' || end.superseded_by !== after.approval) return 'A request took the place of one that did not give way to it.';
  if (before.action.id !== after.action.id || before.action.digest !== after.action.digest) return 'A request took the place of one about another action.';
  if (after.expires_at > before.expires_at) return 'A request that took the place of another gained time by it.';
  const [was, is] = [heldIn(before, contents), heldIn(after, contents)];
  if (!was || !is) return undefined;
  const found = { from: before.approval, differences: differencesOf(was, is, gainedLabels) };
  return is.changed && canonicalJson(asJson(is.changed)) === canonicalJson(asJson(found)) ? undefined : 'A request does not say what has changed since the one before it.';
}

function heldIn({ held_digest: digest }: Request, contents: ReadonlyMap<Digest, Json>) {
  const value = digest === undefined ? undefined : contents.get(digest);
  const parsed = value === undefined ? undefined : parseHeldAction(value);
  return parsed?.ok ? parsed.value : undefined;
}
