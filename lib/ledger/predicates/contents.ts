import { z } from 'zod';

import { actor, common, count, digest, id, sentence } from './fields';

/** Erased digests that one receipt lists; more of them make several receipts. */
export const erasedAtOnce = 5000;

/**
 * Content was deleted with its salt: nobody can read it again or confirm a guess of it. `digests` are those that receipts or
 * seals name; `entries` counts the steps of the session's context whose text went with it. What a receipt says stays said.
 */
export const contentErased = z.strictObject({
  ...common,
  /** `asked`: somebody named what has to go; `retention`: it was kept as long as the rule says. */
  cause: z.enum(['asked', 'retention']),
  reason: sentence,
  by: actor,
  session: id('session').exactOptional(),
  /** The action that it was erased of, when it was one action's. */
  erased_action: id('action').exactOptional(),
  digests: z.array(digest).max(erasedAtOnce),
  entries: count,
});
