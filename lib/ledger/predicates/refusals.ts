import { z } from 'zod';

import { countField } from '@/lib/shared/document-fields';

import { actor, code, common, count, digest, id, instant, name } from './fields';

/** An attempt to edit what nobody edits directly. The digests show that nothing changed. */
export const editRefused = z.strictObject({
  ...common,
  what: z.enum(['policy', 'grants', 'roster', 'trust_root', 'settings', 'other']),
  code,
  by: actor,
  method: name,
  path: z.string().max(2048),
  proposal: name.exactOptional(),
  policy_sha256: z.strictObject({ before: digest.nullable(), after: digest.nullable() }),
});

/** Refused calls of one credential, summed up: at most one receipt a minute. */
export const callsRefused = z.strictObject({
  ...common,
  by: actor,
  from: instant,
  to: instant,
  counts: z.array(z.strictObject({ code, count: countField(1) })).min(1).max(100),
});

/**
 * Somebody took receipts out: a range, one session's, one case's (an action and all that belongs to it), or filtered rows.
 * `digest` is the SHA-256 of the bundle's manifest payload, or of the file when it is none.
 */
export const exportMade = z.strictObject({
  ...common,
  by: actor,
  from: count,
  to: count,
  session: id('session').exactOptional(),
  case: id('action').exactOptional(),
  format: z.enum(['bundle', 'json', 'csv', 'html']).exactOptional(),
  /** The filters as the URL had them, when rows were chosen by them. */
  filters: z.string().max(2048).exactOptional(),
  receipts: count.exactOptional(),
  withheld: z.boolean(),
  digest: digest.exactOptional(),
});
