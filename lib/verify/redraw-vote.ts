import type { HeldAction } from '@/lib/approvals/held-action';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { parseVote } from '@/lib/approvals/parse-vote';
import { drawnHere } from '@/lib/approvals/verify-vote';
import { approvalView, renderer, viewDigest, viewLocale } from '@/lib/approvals/view';
import type { VoteStatement } from '@/lib/approvals/vote';
import type { Bundle } from '@/lib/ledger/bundle';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { utf8, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

import { ofKind, type Entry } from './parse-entries';

/**
 * The screen of a request, drawn again. `same`: it has the digest that the vote signed. `differs`: it has another one. `unsigned`: nobody
 * signed what it looked like. `unknown`: it cannot be drawn here, and `why` says why.
 */
export type Redrawn = {
  readonly state: 'same' | 'differs' | 'unsigned' | 'unknown';
  readonly why: string;
  readonly held: HeldAction | null;
  readonly statement: VoteStatement | null;
};

/** What the voter of this receipt saw, or, for a request, what approvers were shown. */
export function redrawVote(body: ReceiptPredicate<'approval_voted' | 'approval_requested'>, entries: readonly Entry[], { contents, absent }: Pick<Bundle, 'contents' | 'absent'>, sha256: Sha256): Redrawn {
  const statement = 'statement' in body ? statementOf(body.statement) : null;
  const request = ofKind(entries, 'approval_requested').find(({ predicate }) => predicate.approval === body.approval)?.predicate;
  const cannot = (why: string): Redrawn => ({ state: 'unknown', why, held: null, statement });
  if (!request) return cannot('The request is not in the bundle.');
  const digest = request.held_digest;
  if (digest === undefined) return cannot('The receipt of the request names no content that a screen could be drawn from.');
  const content = contents.find((item) => item.digest === digest);
  if (!content) return cannot(`What was held is ${reasonOf(digest, absent)}.`);
  const held = parseHeldAction(content.value);
  if (!held.ok) return cannot('What was held cannot be read by this version.');
  const shown = { held: held.value, statement };
  if (statement === null) return { ...shown, state: 'unsigned', why: 'statement' in body ? 'The vote’s statement cannot be read.' : 'Drawn from what was held. Each vote signs what its person saw.' };
  if (!drawnHere(statement)) return { ...shown, state: 'unknown', why: `It was drawn by ${statement.view.renderer} (${statement.view.locale}); this is ${renderer} (${viewLocale}), so the digests cannot be compared.` };
  const same = viewDigest(approvalView(held.value), sha256) === statement.view.digest;
  return same
    ? { ...shown, state: 'same', why: 'Drawn again from the bundle: it has the digest that the vote covers.' }
    : { ...shown, state: 'differs', why: 'Drawn again from the bundle, it has another digest than the vote covers. The person was shown something else.' };
}

function statementOf(text: string): VoteStatement | null {
  const parsed = parseVote(utf8(text));
  return parsed.ok ? parsed.value : null;
}

const reasonOf = (digest: Digest, absent: Bundle['absent']): string => absent.find((item) => item.digest === digest)?.why ?? 'missing';
