import { z } from 'zod';

import { actionReference, common, digest, id, name, sentence } from './fields';

/** What guards found in one text that the session holds. `content_digest` is the recorded item that was inspected. */
export const guardFinding = z.strictObject({
  ...common,
  session: id('session'),
  what: z.enum(['request', 'message', 'action', 'output']),
  content_digest: digest,
  /** Whose parameters or output it is. */
  about: actionReference.exactOptional(),
  findings: z
    .array(
      z.strictObject({
        guard: name,
        verdict: z.enum(['label', 'redact', 'hold', 'block', 'failed']),
        /** Where in the value; empty for all of it. */
        path: z.string().max(2048),
        /** What was found, never the text itself. */
        detail: sentence,
      }),
    )
    .min(1)
    .max(200),
});
