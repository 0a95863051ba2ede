import { fail, ok, type Result } from '@/lib/shared/result';

import { isReceiptKind, receiptSchemas, type ReceiptBody, type ReceiptKind, type ReceiptPredicate } from './receipt-predicate';

export const predicateTypeOf = (kind: ReceiptKind): string => `https://countersign.dev/receipt/${kind}/v1`;

/** Kind and predicate as one value of the union: they belong together by the signature, which the compiler cannot follow into a member. */
export const bodyOf = <Kind extends ReceiptKind>(kind: Kind, predicate: ReceiptPredicate<Kind>): ReceiptBody => ({ kind, predicate }) as ReceiptBody;

/** Checks a predicate before it is signed (rare kinds and tests; the hot path relies on types). */
export function parsePredicate(predicateType: string, predicate: unknown): Result<ReceiptBody> {
  const kind = /^https:\/\/countersign\.dev\/receipt\/([a-z_]+)\/v1$/.exec(predicateType)?.[1];
  if (kind === undefined || !isReceiptKind(kind)) return fail('invalid_input', `No receipt is of the type ${predicateType}.`);
  const read = receiptSchemas[kind].safeParse(predicate);
  if (!read.success) {
    const issues = read.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
    return fail('invalid_input', `The predicate of ${kind} does not fit its schema.`, { issues });
  }
  return ok({ kind, predicate: read.data } as ReceiptBody);
}
