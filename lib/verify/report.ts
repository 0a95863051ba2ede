import type { ActionId, Digest } from '@/lib/shared/ids';

/** What is checked, in the order in which it is reported. */
export const checkTitles = {
  decoding: 'The file is written exactly as bundles are',
  manifest: 'The exporter signed the digest of every part',
  trust_root: 'The trust roots lead to the fingerprint',
  receipts: 'Every receipt is signed by a key that was delegated at its position',
  chain: 'Every receipt names the one before it',
  tree: 'The receipts give the root that the checkpoint states',
  checkpoints: 'Every checkpoint is signed by the plane',
  consistency: 'Each checkpoint goes on from the one before',
  rosters: 'Every roster is signed by owners',
  policies: 'Every policy is signed by owners, and decisions name the one in force',
  sessions: 'Every decision saw all that its session had done before',
  votes: 'Every vote is signed by a person of the roster, over what was asked',
  statements: 'Every lowered label and every fact of a person is signed by that person',
  pairing: 'Decisions, approvals, permits and outcomes belong together',
  proposals: 'Every proposal was proved, signed and ended as its receipts say',
  grants: 'Every use of a grant is one that owners gave, and was counted',
  standing: 'Every standing approval was signed, and stood for no more than it says',
  seeded: 'What was committed to before a request was shown is what was opened',
  switches: 'Every switch was released by an owner, and nothing was let through while it was on',
  guards: 'Every finding is about something that the session recorded',
  administration: 'Keys, credentials and exports are as rosters and positions say',
  times: 'Time does not go back',
  contents: 'Every content is what a receipt names',
  completeness: 'No receipt of the range is missing',
  rederivation: 'The engine reaches the same decisions again',
  classes: 'Every change of policy has the class that its receipt states, and the signatures of it',
} as const;

export type CheckId = keyof typeof checkTitles;
export type CheckState = 'pass' | 'fail' | 'unknown';

export type Check = {
  readonly id: CheckId;
  readonly title: string;
  readonly state: CheckState;
  /** One sentence: what was found, or why it could not be found out. */
  readonly detail: string;
  /** Log position of the first receipt that does not hold. */
  readonly firstBad?: number;
  /** The two values that had to be equal, where the check compares two. */
  readonly compared?: { readonly expected: string; readonly found: string };
};

/** How the receipts of one action go together. Those of `brokenPairings` make the check fail. */
export const pairingVerdicts = [
  'denied', 'held', 'deferred', 'expired', 'withdrawn', 'superseded', 'permit_unused', 'permit_void', 'outcome_missing', 'outcome_unknown', 'outcome_late',
  'completed', 'beginning_not_in_bundle',
  'redeemed_twice', 'redeemed_without_permit', 'redeemed_after_expiry', 'outcome_without_redemption', 'outcome_twice',
  'permit_without_approval', 'permit_for_another_action', 'approval_without_request', 'quorum_not_met',
  'deferral_without_opening', 'deferral_without_decision', 'deferral_resolved_twice', 'deferral_outlived', 'permitted_after_deferral_ended',
  'redeemed_while_deferred', 'asked_again', 'attempts_out_of_line',
  'decision_at_odds', 'proposed_twice', 'requested_twice', 'request_without_decision', 'resolved_twice', 'approved_after_denial', 'permitted_twice',
  'went_on_after_end',
] as const;
export type PairingVerdict = (typeof pairingVerdicts)[number];

export type Pairing = { readonly action: ActionId; readonly verdict: PairingVerdict; readonly broken: boolean; readonly detail: string; readonly index: number };

export const cannotRederive = ['withheld', 'erased', 'missing', 'not_asked', 'other_version', 'unreadable'] as const;
export type CannotRederive = (typeof cannotRederive)[number];

export type Rederived = {
  readonly reproduced: number;
  readonly differs: number;
  readonly cannot: number;
  /** Every decision that was not reproduced, with the reason. */
  readonly notes: readonly { readonly index: number; readonly state: 'differs' | 'cannot'; readonly detail: string; readonly why?: CannotRederive }[];
};

/**
 * `verified`: everything holds and leads to a fingerprint or key that the reader brought. `consistent_issuer_not_verified`:
 * everything holds among itself, but the bundle alone vouches for its keys. `failed`: something does not hold.
 */
export type Verdict = 'verified' | 'failed' | 'consistent_issuer_not_verified' | 'unreadable';

export type Report = {
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  readonly pairing: readonly Pairing[];
  readonly rederived: Rederived;
  /** SHA-256 of the first trust root in the bundle: what the reader compares with what they know. */
  readonly root: Digest | null;
  readonly size: number | null;
  readonly receipts: number;
  /** What a green check does not prove, in plain words. */
  readonly limits: readonly string[];
};

export const limits: readonly string[] = [
  'It does not prove that the agent asked for everything it did: an action outside Countersign leaves no receipt here.',
  'It does not prove that requests, attributes and outcomes were true, only who stated them and when.',
  'It does not prove that nobody held all the keys: whoever had the owners’ and the services’ keys could have written another log.',
  'It does not prove which pixels a signer saw, only which screen was sent to be signed.',
  'It does not prove that this is the newest state of the log: compare the checkpoint with one you got elsewhere.',
  'It does not prove the class of a policy change that could not be compared again: there the receipt’s word for it is believed.',
];

export const passed = (id: CheckId, detail: string): Check => ({ id, title: checkTitles[id], state: 'pass', detail });

export const unknown = (id: CheckId, detail: string): Check => ({ id, title: checkTitles[id], state: 'unknown', detail });

export const failed = (id: CheckId, detail: string, firstBad?: number, compared?: Check['compared']): Check => ({
  id,
  title: checkTitles[id],
  state: 'fail',
  detail,
  ...(firstBad === undefined ? {} : { firstBad }),
  ...(compared === undefined ? {} : { compared }),
});
