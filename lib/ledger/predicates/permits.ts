import { z } from 'zod';

import { actionReference, actor, code, common, contextAfter, digest, id, name, sentence } from './fields';
import { permitTerms } from './decisions';

/** The permit after an approval: only the plane signs it, once the quorum is committed. */
export const permitIssued = z.strictObject({
  ...common,
  session: id('session'),
  agent: name,
  action: actionReference,
  approval: id('approval'),
  permit: permitTerms,
});

export const permitRedeemed = z.strictObject({
  ...common,
  session: id('session'),
  permit: id('permit'),
  action: actionReference,
  by: actor,
  /** The receipt of the decision made again at redeeming, when epoch or context had moved. */
  decided: id('receipt').exactOptional(),
  ...contextAfter,
});

/** A call to redeem that was turned down: expired, used, stale, session ended, not the caller's. */
export const permitRefused = z.strictObject({
  ...common,
  permit: id('permit'),
  action: actionReference,
  code,
  by: actor,
});

/** What happened. Reported as *unknown* by the service itself when the deadline passes without a report. */
export const outcomeReported = z.strictObject({
  ...common,
  session: id('session'),
  permit: id('permit'),
  action: actionReference,
  status: z.enum(['succeeded', 'failed', 'unknown']),
  output_digest: digest.exactOptional(),
  labels: z.array(name).max(100),
  trusted: z.boolean(),
  /** True when it came after the deadline, and so after an outcome *unknown*. */
  late: z.boolean(),
  reported_by: actor,
  ...contextAfter,
});

export const actionWithdrawn = z.strictObject({
  ...common,
  session: id('session'),
  action: actionReference,
  cause: z.enum(['withdrawn', 'session_ended', 'kill_switch', 'superseded']),
  by: actor,
  note: sentence.exactOptional(),
});
