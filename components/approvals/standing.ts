import { approvalView, viewDigest } from '@/lib/approvals/view';
import { basisDigest } from '@/lib/approvals/basis';
import type { BrowserKey } from '@/lib/client/browser-keys';
import { sha256 } from '@/lib/client/hash';
import { pickSigningKey, type PickedKeys } from '@/lib/client/pick-signing-key';
import type { ApprovalDetail, VoteObstacle } from '@/lib/contracts/console/approvals';
import type { OwnKeysView } from '@/lib/contracts/console/keys';

/** Where this viewer, in this browser, stands towards a request. */
export type Standing =
  /** Keys that can sign here, the best first. */
  | { readonly kind: 'ready'; readonly keys: readonly [BrowserKey, ...BrowserKey[]] }
  | { readonly kind: 'no_key'; readonly why: string; readonly waiting: boolean }
  | { readonly kind: 'barred' | 'over' | 'drawn_differently'; readonly words: string; readonly why: string };

type Code = NonNullable<VoteObstacle>['code'];

/** `device`: the viewer's keys that can be used in this browser, `own`: what the console says of them; undefined while that is not known. */
export function standingOf(detail: ApprovalDetail, device: readonly BrowserKey[] | undefined, own: OwnKeysView | undefined): Standing {
  const { state, held, viewer } = detail;
  if (state !== 'pending') return { kind: 'over', words: 'This request is over.', why: 'Nothing more can be decided here.' };
  if (basisDigest(held, sha256) !== detail.basis_digest || viewDigest(approvalView(held), sha256) !== detail.view_digest) {
    return { kind: 'drawn_differently', words: 'This browser draws another screen than the server recorded.', why: 'Load the page anew. If it stays so, do not approve, and tell whoever runs this console.' };
  }
  const { obstacle } = viewer;
  const lacksKey = obstacle?.code === 'key_not_enrolled' || obstacle?.code === 'key_kind_refused';
  if (obstacle !== null && !lacksKey) return { kind: 'barred', words: barred[obstacle.code], why: obstacle.detail };
  if (!viewer.may_approve && !lacksKey) return { kind: 'barred', words: barred.not_an_approver, why: 'Somebody of its groups has to decide.' };
  const { usable, why } = signersHere(detail, device, own);
  const [first, ...more] = usable;
  if (first) return { kind: 'ready', keys: [first, ...more] };
  return { kind: 'no_key', why: why ?? 'You have no key in this browser.', waiting: (device ?? []).some(({ entry }) => own?.waiting.some(({ key }) => key === entry.id) === true) };
}

/** The viewer's keys that could sign about this request in this browser, the best first. */
export function signersHere({ held, viewer }: ApprovalDetail, device: readonly BrowserKey[] | undefined, own: OwnKeysView | undefined): PickedKeys<BrowserKey> {
  return pickSigningKey((device ?? []).filter(({ entry }) => viewer.keys.some(({ id }) => id === entry.id)), own, held.impact);
}

const barred: { readonly [C in Code]: string } = {
  not_an_approver: 'This is not routed to you.',
  separation_of_duties: 'You are part of this request, so you cannot approve it.',
  already_voted: 'You have signed. Somebody else completes it.',
  already_resolved: 'This request is over.',
  approval_expired: 'Time ran out.',
  approval_stale: 'This request has changed.',
  edit_pending: 'Somebody has changed this request.',
  key_not_enrolled: 'You have no key.',
  key_kind_refused: 'Your kind of key may not sign this impact.',
};
