import { z } from 'zod';

import { countField, digestField, idField, keyIdField, timestampField } from '@/lib/shared/document-fields';
import { readEnvelope, type Envelope } from '@/lib/shared/dsse';
import { errorCodes, type ErrorCode } from '@/lib/shared/error-codes';
import { impacts } from '@/lib/shared/impact';
import { keyKinds } from '@/lib/shared/keys';

import { jsonField } from '../json-field';

/** The field types that receipts are made of. A receipt is bounded like everything that comes from outside. */
export { idField as id, digestField as digest, keyIdField as keyId, timestampField as instant, jsonField as json };

export const name = z.string().min(1).max(200);
export const sentence = z.string().max(4096);
export const count = countField(0);
export const thousandths = z.int().min(0).max(1000);
export const code = z.custom<ErrorCode>((value) => typeof value === 'string' && Object.hasOwn(errorCodes, value), 'not a published code');
export const decision = z.enum(['ALLOW', 'DENY', 'MODIFY', 'STEP_UP', 'DEFER']);
export const impact = z.enum(impacts);
export const keyKind = z.enum(keyKinds);
export const envelope = z.custom<Envelope>((value) => readEnvelope(value) !== undefined, 'not a DSSE envelope');

/** Who did it, as the caller's credential or session says, never as a body says. */
export const actor = z.strictObject({
  kind: z.enum(['person', 'agent', 'orchestrator', 'enforcement_point', 'information_point', 'service']),
  id: name,
});
export type Actor = z.infer<typeof actor>;

/** An action and the content digest of its sealed form (see ../content.ts). */
export const actionReference = z.strictObject({ id: idField('action'), digest: digestField });

/** In every receipt: the log it belongs to, when (the database's clock), and the receipt's own id. */
export const common = { workspace: idField('workspace'), at: timestampField, receipt: idField('receipt') } as const;

/** In every receipt that lengthens a session's context: the chain's head and length after it. */
export const contextAfter = { context_head: digestField, context_seq: count } as const;
