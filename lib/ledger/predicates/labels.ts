import { z } from 'zod';

import { common, contextAfter, digest, envelope, id, keyId, keyKind, name, sentence } from './fields';

/** What a person signed for this step of a session: the envelope that carries the statement, and the SHA-256 of its payload, which the step names. */
export const signedStatement = z.strictObject({
  digest,
  envelope,
  key: z.strictObject({ id: keyId, kind: keyKind }),
});

/**
 * A person has lowered a label of a session. `to` is the lower level, or null for a tag, which goes. The step that it adds to the
 * session's context follows from this receipt alone, so a verifier computes its hash again.
 */
export const labelLowered = z.strictObject({
  ...common,
  session: id('session'),
  label: name,
  to: name.nullable(),
  person: id('person'),
  reason: sentence,
  statement: signedStatement,
  ...contextAfter,
});
