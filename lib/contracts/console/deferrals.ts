import { z } from 'zod';

import type { HeldArgument } from '@/lib/approvals/held-action';
import type { ActionState } from '@/lib/contracts/plane/actions';
import { jsonField } from '@/lib/ledger/json-field';
import type { FactType } from '@/lib/shared/fact-type';
import type { ActionId, ApprovalId, DeferralId, ReceiptId, SessionId } from '@/lib/shared/ids';
import type { Impact } from '@/lib/shared/impact';

import type { ReceiptLink } from './approvals';
import { envelope, id } from './fields';

/** A question that was put to an information point. `asking`: no answer yet. */
export type ShownAttempt = {
  readonly source: string;
  readonly attempt: number;
  readonly asked_at: string;
  readonly outcome: 'asking' | 'supplied' | 'unavailable' | 'failed';
  readonly detail: string | null;
};

export type MissingFact = {
  readonly field: string;
  readonly subject: string | null;
  /** What a supplier has to name; null when no attribute would settle it. */
  readonly attribute: string | null;
  /** As the policy names them: `ip:records`, `group:finance`, `orchestrator`. */
  readonly suppliers: readonly string[];
  readonly attempts: readonly ShownAttempt[];
  /** As what the viewer may answer it: `requester` or a group of theirs; null when they may not. */
  readonly answer_as: string | null;
  /** What the policy asks people for; null: anything. */
  readonly type: FactType | null;
};

export type WaitingAction = { readonly action: ActionId; readonly title: string; readonly state: ActionState };

/** An action that waits for something that is missing. */
export type DeferralItem = {
  readonly id: DeferralId;
  readonly action: ActionId;
  readonly session: SessionId;
  readonly title: string;
  readonly agent: string;
  readonly human: string;
  /** It is for the viewer: they may take it back. */
  readonly own: boolean;
  readonly impact: Impact;
  readonly missing: readonly MissingFact[];
  /** Rules that made it wait. */
  readonly rules: readonly string[];
  /** What an approver asked back instead of deciding; its answer is one of the missing facts. Null: it waits for something else. */
  readonly question: { readonly text: string; readonly by_name: string; readonly attribute: string } | null;
  /** The request to the people who decide between rules that conflict; null when it waits for something else. */
  readonly approval: ApprovalId | null;
  /** Actions that have to end first, and those that wait for this one. */
  readonly waits_for: readonly WaitingAction[];
  readonly blocks: readonly WaitingAction[];
  readonly deferred_at: string;
  readonly expires_at: string;
  readonly at_timeout: 'DENY' | 'STEP_UP';
};

export type DeferralsView = { readonly items: readonly DeferralItem[]; readonly now: string };

/** A signed fact, and the value behind the digest that it names, with the salt; null: they settle that there is none. */
export const supplyFactInput = z.strictObject({
  deferral: id('deferral'),
  envelope: envelope(64 * 1024),
  content: z.strictObject({ salt: z.string().max(64), value: jsonField }).nullable(),
});
export type SupplyFactInput = z.output<typeof supplyFactInput>;

export type SuppliedFactView = { readonly receipt: ReceiptId; readonly subject: string; readonly name: string };

export const deferralQuery = z.strictObject({ id: id('deferral') });

/** What one needs to see before supplying anything: the action itself, and on whose words it rests. */
export type DeferralDetail = {
  readonly id: DeferralId;
  /** Null when a part of the action was erased: then it can never run. */
  readonly arguments: readonly HeldArgument[] | null;
  /** The session's requests, oldest first; quoted and attached text is cut out. */
  readonly requests: readonly string[];
  readonly labels: readonly string[];
  /** The agent's own words: untrusted. */
  readonly agent_reason: string | null;
  readonly receipts: readonly ReceiptLink[];
};
