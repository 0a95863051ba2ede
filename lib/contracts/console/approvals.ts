import { z } from 'zod';

import { questionLength } from '@/lib/approvals/asked-back';
import type { ApprovalStatus } from '@/lib/approvals/approval-state';
import type { HeldAction } from '@/lib/approvals/held-action';
import type { ViewText } from '@/lib/approvals/view-text';
import { guidanceCodes, type GuidanceCode } from '@/lib/approvals/vote';
import { bounds } from '@/lib/shared/bounds';
import type { Impact } from '@/lib/shared/impact';
import type { ActionId, ApprovalId, DeferralId, Digest, KeyId, PersonId, ReceiptId, SessionId } from '@/lib/shared/ids';
import type { KeyKind } from '@/lib/shared/keys';
import type { ActionState } from '@/lib/contracts/plane/actions';

import { envelope, id, pageSize, reason } from './fields';

export const queueScopes = ['visible', 'own'] as const;
export const queueStates = ['waiting', 'decided', 'all'] as const;
export const queueSorts = ['time_left', 'oldest', 'newest'] as const;

/** The queue's URL state. `visible`: routed to the viewer and their own; all for owners and auditors. `own`: held on their behalf. */
export const queueQuery = z.strictObject({
  scope: z.enum(queueScopes).default('visible'),
  state: z.enum(queueStates).default('waiting'),
  sort: z.enum(queueSorts).default('time_left'),
  impact: z.enum(['low', 'medium', 'high', 'critical']).optional(),
  agent: z.string().max(64).optional(),
  tool: z.string().max(200).optional(),
  text: z.string().max(200).optional(),
  limit: pageSize,
  after: z.string().max(200).optional(),
});
export type QueueQuery = z.infer<typeof queueQuery>;

export type QueueItem = {
  readonly id: ApprovalId;
  readonly action: ActionId;
  readonly session: SessionId;
  readonly title: string;
  /** First measured fact; each part says whose words it is. */
  readonly headline: ViewText;
  /** What it would touch, in a few words for one line. Empty when nothing aims. */
  readonly subject: ViewText;
  readonly agent: string;
  readonly human: string;
  readonly impact: Impact;
  readonly state: ApprovalStatus;
  readonly quorum: { readonly needed: number; readonly given: number };
  readonly held_at: string;
  readonly expires_at: string;
  readonly resolved_at: string | null;
  /** True when this viewer could still vote: routed, not part of it, not voted yet. */
  readonly mine_to_decide: boolean;
};

export type QueueView = {
  readonly items: readonly QueueItem[];
  readonly counts: { readonly waiting: number; readonly decided: number };
  readonly next: string | null;
  /** The database's clock when this was read: countdowns run against it. */
  readonly now: string;
};

export const approvalQuery = z.strictObject({ id: id('approval') });

export type ShownVote = {
  readonly person: PersonId;
  readonly name: string;
  readonly verdict: 'approve' | 'deny';
  readonly reason: string | null;
  readonly key: { readonly id: string; readonly kind: string } | null;
  readonly at: string;
  readonly receipt: ReceiptId | null;
};

export type ReceiptLink = { readonly id: ReceiptId; readonly index: number; readonly kind: string; readonly at: string };

/** What stands between this viewer and an approval; null when nothing does. */
export type VoteObstacle = {
  readonly code: 'not_an_approver' | 'separation_of_duties' | 'already_voted' | 'already_resolved' | 'approval_expired' | 'approval_stale' | 'edit_pending' | 'key_not_enrolled' | 'key_kind_refused';
  readonly detail: string;
} | null;

export type ApprovalDetail = {
  readonly id: ApprovalId;
  readonly state: ApprovalStatus;
  readonly held: HeldAction;
  readonly basis_digest: Digest;
  readonly view_digest: Digest;
  readonly quorum: { readonly needed: number; readonly given: number };
  /** When it ends now; `held` has its first end. */
  readonly expires_at: string;
  /** The latest end that extensions may give it. */
  readonly ends_by: string;
  readonly extensions: readonly { readonly by_name: string; readonly at: string; readonly expires_at: string }[];
  /** Whom else it asks and from when on: `done` once they are. Null where policy names nobody, and once it is over without. */
  readonly escalation: { readonly groups: readonly string[]; readonly at: string; readonly done: boolean } | null;
  readonly votes: readonly ShownVote[];
  /** Others who could decide, by name. */
  readonly approvers: readonly { readonly person: PersonId; readonly name: string; readonly excluded: boolean; readonly has_key: boolean }[];
  readonly excluded: readonly PersonId[];
  readonly action: { readonly id: ActionId; readonly state: ActionState; readonly code: string; readonly guidance: string | null };
  readonly receipts: readonly ReceiptLink[];
  readonly resolved: { readonly at: string; readonly by: string; readonly by_name: string; readonly text: string | null } | null;
  /** What took the place of a request that is over: the deferral that waits for an answer, the newest request, the action that an edit made of it. Null: nothing did. */
  readonly gave_way_to: { readonly deferral: DeferralId | null; readonly request: ApprovalId | null; readonly action: { readonly id: ActionId; readonly state: ActionState; readonly code: string } | null } | null;
  /** An edit that the plane has yet to decide. */
  readonly edit: { readonly by_name: string; readonly action: ActionId } | null;
  /** Questions that were asked back about the action. */
  readonly questions: number;
  readonly viewer: {
    readonly may_approve: boolean;
    readonly obstacle: VoteObstacle;
    readonly may_deny: boolean;
    readonly may_ask: boolean;
    /** Could approve, or has, and there is time left to give. */
    readonly may_extend: boolean;
    readonly may_edit: boolean;
    readonly may_withdraw: boolean;
    /** The viewer's keys that may sign this impact. */
    readonly keys: readonly { readonly id: KeyId; readonly kind: KeyKind }[];
  };
  readonly now: string;
};

/** Signed in the browser with lib/approvals: `voteStatement` from the detail's held action, `signVote` with the viewer's key. */
export const approveInput = z.strictObject({ approval: id('approval'), envelope: envelope() });
export type ApproveInput = z.infer<typeof approveInput>;

/** Signed in the browser with `signExtension` of lib/approvals. */
export const extendInput = z.strictObject({ approval: id('approval'), envelope: envelope() });
export type ExtendInput = z.infer<typeof extendInput>;

export type ExtensionOutcome = { readonly expires_at: string; readonly receipt: ReceiptId };

/** Needs only the session. The text goes to the agent. */
export const denyInput = z.strictObject({
  approval: id('approval'),
  code: z.enum(guidanceCodes),
  reason: reason.min(1, { error: 'Say why: the agent gets this text.' }),
});
export type DenyInput = z.infer<typeof denyInput>;

/** Needs only the session. The requester, the orchestrator and the agent get the text. */
export const askBackInput = z.strictObject({
  approval: id('approval'),
  question: reason.min(1, { error: 'Say what you want to know.' }).max(questionLength),
});
export type AskBackInput = z.infer<typeof askBackInput>;

export type AskedBackView = { readonly deferral: DeferralId; readonly expires_at: string; readonly receipts: readonly ReceiptId[] };

/**
 * Signed in the browser with lib/approvals: `signEdit` over the salted digest of these parameters. They come as text, so that they are
 * read as strictly as an agent's.
 */
export const editInput = z.strictObject({
  approval: id('approval'),
  envelope: envelope(64 * 1024),
  content: z.strictObject({ salt: z.string().max(64), parameters: z.string().max(bounds.bodyBytes) }),
});
export type EditInput = z.infer<typeof editInput>;

/** `action` is what the held one goes on as, once the plane has decided it. */
export type EditedView = { readonly action: ActionId; readonly receipts: readonly ReceiptId[] };

export const withdrawInput = z.strictObject({ action: id('action') });

export type VoteOutcome = {
  readonly state: ApprovalStatus;
  readonly quorum: { readonly needed: number; readonly given: number };
  readonly receipts: readonly ReceiptId[];
};

export const guidanceTexts: { readonly [Code in GuidanceCode]: string } = {
  wider_than_request: 'It reaches further than the request.',
  untrusted_value: 'A value comes from a source nobody vouched for.',
  cannot_be_undone: 'It cannot be undone and nothing asks for that.',
  wrong_time_or_place: 'Not now, or not there.',
  not_wanted: 'This is not wanted.',
  other: 'Other',
};
