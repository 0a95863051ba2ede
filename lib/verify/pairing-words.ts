import type { PairingVerdict } from './report';

type Words = {
  readonly title: string;
  /** For somebody who has never seen a permit. */
  readonly means: string;
};

/** Each verdict on an action in plain words. */
export const pairingWords: { readonly [V in PairingVerdict]: Words } = {
  completed: { title: 'Completed', means: 'It was permitted, ran once under that permit, and its outcome was reported.' },
  denied: { title: 'Denied', means: 'It was turned down. No permit exists, so nothing ran.' },
  held: { title: 'Held', means: 'The last that is known of it: it waits for a person. Nothing ran.' },
  deferred: { title: 'Deferred', means: 'The last that is known of it: it waits for something that is missing. Nothing ran.' },
  expired: { title: 'Expired', means: 'Nobody answered in time, so it was denied. Nothing ran.' },
  withdrawn: { title: 'Withdrawn', means: 'It was taken back before anything ran.' },
  superseded: { title: 'Superseded', means: 'An edited action took its place. This one did not run.' },
  permit_unused: { title: 'Permit unused', means: 'It was let through, but nobody has used the permit. Nothing ran under it.' },
  permit_void: { title: 'Permit void', means: 'Policy or context changed before the permit was used, so it was refused. Nothing ran.' },
  outcome_missing: { title: 'Outcome missing', means: 'The permit was used, and nobody has said what came of it yet.' },
  outcome_unknown: { title: 'Outcome unknown', means: 'The permit was used, and the time to report went by. It may have run.' },
  outcome_late: { title: 'Outcome late', means: 'It ran, and its outcome was reported after the time for it.' },
  beginning_not_in_bundle: { title: 'Begins before the bundle', means: 'Its first decision is not in this file, so what came before cannot be judged here. That is no fault.' },
  redeemed_twice: { title: 'Permit used twice', means: 'A permit is good for one run. This one was used more than once.' },
  redeemed_without_permit: { title: 'Ran without a permit', means: 'Something ran that no valid permit stands behind.' },
  redeemed_after_expiry: { title: 'Permit used too late', means: 'The permit had expired when it was used.' },
  outcome_without_redemption: { title: 'Outcome without a run', means: 'An outcome was reported for a permit that nobody had used.' },
  outcome_twice: { title: 'Two outcomes', means: 'One run has one outcome. Two were reported.' },
  permit_without_approval: { title: 'Permit without an approval', means: 'A permit exists for something that had not been allowed or approved.' },
  permit_for_another_action: { title: 'Permit for another action', means: 'The permit licenses something else than was decided or approved.' },
  approval_without_request: { title: 'Approved without being asked', means: 'It counts as approved, but there is no request that people could have answered.' },
  quorum_not_met: { title: 'Too few approvals', means: 'It counts as approved, but fewer people than needed had approved it.' },
  deferral_without_opening: { title: 'Deferral without a beginning', means: 'A wait goes on or ends that was never opened.' },
  deferral_without_decision: { title: 'Deferral without a decision', means: 'A wait ended by a decision that is not there.' },
  deferral_resolved_twice: { title: 'Deferral ended twice', means: 'A wait ends once. This one ended more than once.' },
  deferral_outlived: { title: 'Deferral decided too late', means: 'It was decided after its time to wait was over.' },
  permitted_after_deferral_ended: { title: 'Permitted after the wait ended', means: 'It was let through after its wait had ended without an answer.' },
  redeemed_while_deferred: { title: 'Ran while waiting', means: 'It ran while something was still missing.' },
  asked_again: { title: 'Asked again', means: 'A source was asked again for what it had already answered.' },
  attempts_out_of_line: { title: 'Attempts out of line', means: 'A source was asked out of turn, or more often than allowed.' },
  decision_at_odds: { title: 'Decision at odds with itself', means: 'The receipt gives one verdict and acts on another.' },
  proposed_twice: { title: 'Proposed twice', means: 'An action is proposed once. This one begins a second time.' },
  requested_twice: { title: 'Asked twice', means: 'One request was put before people twice, so nobody can say which one they answered.' },
  request_without_decision: { title: 'Asked without a decision', means: 'People were asked although no decision had put it before them.' },
  resolved_twice: { title: 'Request ended twice', means: 'A request ends once. This one ended more than once.' },
  approved_after_denial: { title: 'Approved after a denial', means: 'One denial ends a request. This one counts as approved all the same.' },
  permitted_twice: { title: 'Two permits', means: 'One action has one permit. A second one could let it run again.' },
  went_on_after_end: { title: 'Went on after its end', means: 'It had been denied, withdrawn or had run out of time, and went on all the same.' },
};
