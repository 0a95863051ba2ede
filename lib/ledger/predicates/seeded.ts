import { z } from 'zod';

import { saltField } from '@/lib/shared/document-fields';

import { common, digest, id } from './fields';

/**
 * Before a request is shown the log commits to whether it is seeded (a look-alike that ought to be denied), so that nobody can
 * call a bad real approval seeded afterwards. `commitment` is the content digest of `{"request":<approval>,"seeded":<boolean>}`
 * under a salt that is opened later. Every request of a workspace that seeds has one: it does not tell which are.
 */
export const seededRequestCommitted = z.strictObject({ ...common, approval: id('approval'), commitment: digest });

/** After the decision: what the commitment held. */
export const seededRequestOpened = z.strictObject({
  ...common,
  approval: id('approval'),
  commitment: digest,
  seeded: z.boolean(),
  /** 16 bytes in base64. */
  salt: saltField,
});
