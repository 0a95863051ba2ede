import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';

import { argumentRows, type ArgumentRow } from './argument-rows';
import { checksOf, type Check } from './checks';
import { factsOf } from './headline';
import type { HeldAction } from './held-action';
import { neededQuorum } from './needed-quorum';
import { ours, untrusted, type ViewText } from './view-text';

/**
 * Names how a view model is drawn. It changes with this function, the words in it, or the way untrusted text is
 * escaped; an auditor draws a receipt's screen with the renderer that it names.
 */
export const renderer = 'countersign-view/1';
export const viewLocale = 'en';

/** Everything that the approver was shown. Times are absolute; nothing in it moves while somebody looks. */
export type ApprovalView = {
  readonly renderer: typeof renderer;
  readonly locale: typeof viewLocale;
  readonly request: HeldAction['approval'];
  readonly title: string;
  readonly impact: HeldAction['impact'];
  readonly effect: HeldAction['effect'];
  /** Sentences from measured facts; the first is the headline. */
  readonly facts: readonly ViewText[];
  readonly arguments: readonly ArgumentRow[];
  readonly has_transformed: boolean;
  readonly checks: readonly Check[];
  readonly why_held: Pick<HeldAction, 'rules' | 'confidence' | 'alignment' | 'evaluability' | 'policy'>;
  readonly signals: HeldAction['signals'];
  readonly identity: HeldAction['identity'];
  readonly requests: HeldAction['requests'];
  /** The agent's own words; null when it gave none. */
  readonly agent_reason: ViewText | null;
  readonly labels: readonly string[];
  readonly timeline: HeldAction['timeline'];
  readonly attributes: HeldAction['attributes'];
  readonly recipients: HeldAction['recipients'];
  readonly approvers: HeldAction['approvers'] & { readonly needed: number };
  readonly asked?: NonNullable<HeldAction['asked']>;
  readonly changed?: NonNullable<HeldAction['changed']>;
  readonly edited?: NonNullable<HeldAction['edited']>;
  readonly held_at: HeldAction['held_at'];
  readonly expires_at: HeldAction['expires_at'];
  /** Not drawn: it keeps the view's digest from being guessed. */
  readonly salt: HeldAction['salt'];
  readonly at_zero: ViewText;
};

/** Pure and deterministic: the same held action gives the same view on the server, in the browser and at an auditor's. */
export const approvalView = (held: HeldAction): ApprovalView => ({
  renderer,
  locale: viewLocale,
  request: held.approval,
  title: `${held.action.tool}.${held.action.operation}`,
  impact: held.impact,
  effect: held.effect,
  facts: factsOf(held),
  arguments: argumentRows(held),
  has_transformed: held.transformed !== null,
  checks: checksOf(held),
  why_held: {
    rules: held.rules,
    confidence: held.confidence,
    alignment: held.alignment,
    evaluability: held.evaluability,
    policy: held.policy,
  },
  signals: held.signals,
  identity: held.identity,
  requests: held.requests,
  agent_reason: held.agent_reason === null ? null : [untrusted(held.agent_reason)],
  labels: [...new Set(held.labels)].sort(),
  timeline: held.timeline,
  attributes: held.attributes,
  recipients: held.recipients,
  approvers: { ...held.approvers, needed: neededQuorum(held) },
  ...(held.asked === undefined ? {} : { asked: held.asked }),
  ...(held.changed === undefined ? {} : { changed: held.changed }),
  ...(held.edited === undefined ? {} : { edited: held.edited }),
  held_at: held.held_at,
  expires_at: held.expires_at,
  salt: held.salt,
  at_zero: [ours(`At ${held.expires_at} this is denied: nothing runs, the agent gets approval_expired, and a receipt is written.`)],
});

export const viewDigest = (view: ApprovalView, sha256: Sha256): Digest => digestOf(sha256, canonicalBytes(viewJson(view)));

const viewJson = (view: ApprovalView): JsonObject => ({ ...view });
