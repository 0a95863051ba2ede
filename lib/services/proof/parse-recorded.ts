import { z } from 'zod';

import { decisionKinds, type DecisionKind } from '@/lib/mediate/catalogue';
import { isDigest, isId, type ApprovalId, type Digest, type ReceiptId } from '@/lib/shared/ids';

/** What replay reads of a decision's receipt. */
export type Recorded = {
  readonly receipt: ReceiptId;
  readonly at: string;
  readonly agent: string;
  readonly tool: string;
  readonly operation: string;
  readonly decision: DecisionKind;
  readonly code: string;
  readonly engine: string;
  readonly policy: Digest | null;
  readonly action: Digest;
  readonly snapshot: Digest | null;
  readonly approval: ApprovalId | null;
  /** Nothing was changed, asked or obliged: the action as proposed, or nothing of it. */
  readonly plain: boolean;
};

const digest = z.custom<Digest>((value) => typeof value === 'string' && isDigest(value));
const approval = z.custom<ApprovalId>((value) => typeof value === 'string' && isId('approval', value));

/** Only the fields that are read: whose log it is has parsed the rest before signing, and its tree vouches for these very bytes. */
const decided = z.object({
  predicate: z.object({
    receipt: z.custom<ReceiptId>((value) => typeof value === 'string' && isId('receipt', value)),
    at: z.string(),
    identity: z.object({ agent: z.string() }),
    tool: z.string(),
    operation: z.string(),
    decision: z.enum(decisionKinds),
    code: z.string(),
    engine_version: z.string(),
    policy: z.object({ digest }).nullable(),
    action: z.object({ digest }),
    snapshot_digest: digest.nullable(),
    approval: z.object({ id: approval }).optional(),
    transformed_digest: digest.optional(),
    permit: z.object({ obligations: z.array(z.unknown()), grants: z.array(z.unknown()).optional() }).optional(),
  }),
});

const resolved = z.object({ predicate: z.object({ approval, state: z.string() }) });

/** What of a receipt replay has to know. */
export type ReplayReceipt =
  | { readonly is: 'decision'; readonly recorded: Recorded }
  | { readonly is: 'resolved'; readonly approval: ApprovalId; readonly state: string }
  | { readonly is: 'other' }
  | { readonly is: 'unreadable' };

/** `text` decodes base64 into UTF-8. What kind of receipt it is says its own statement: a row's column could hide one. */
export function parseReceipt(envelope: string, text: (base64: string) => string): ReplayReceipt {
  const payload = payloadOf(envelope, text);
  if (payload === undefined) return { is: 'unreadable' };
  const kind = kindOf(payload);
  if (kind !== 'action_decided' && kind !== 'approval_resolved') return { is: 'other' };
  const statement = parsed(payload);
  if (kind === 'approval_resolved') {
    const read = resolved.safeParse(statement);
    return read.success ? { is: 'resolved', ...read.data.predicate } : { is: 'unreadable' };
  }
  const read = decided.safeParse(statement);
  if (!read.success) return { is: 'unreadable' };
  const { predicate } = read.data;
  const recorded: Recorded = {
    receipt: predicate.receipt,
    at: predicate.at,
    agent: predicate.identity.agent,
    tool: predicate.tool,
    operation: predicate.operation,
    decision: predicate.decision,
    code: predicate.code,
    engine: predicate.engine_version,
    policy: predicate.policy?.digest ?? null,
    action: predicate.action.digest,
    snapshot: predicate.snapshot_digest,
    approval: predicate.approval?.id ?? null,
    plain: predicate.decision === 'DENY' || (predicate.decision === 'ALLOW' && predicate.permit?.obligations.length === 0 && predicate.permit.grants === undefined && predicate.transformed_digest === undefined),
  };
  return { is: 'decision', recorded };
}

const typeName = '"predicateType":"https://countersign.dev/receipt/';

/** The statement's own type stands behind its predicate, in canonical order, and only digest and name of its subject behind that: the last such name is it. */
function kindOf(payload: string): string {
  const at = payload.lastIndexOf(typeName) + typeName.length;
  return payload.slice(at, payload.indexOf('/', at));
}

const start = '{"payload":"';

/** The payload's text from an envelope's canonical text. */
function payloadOf(envelope: string, text: (base64: string) => string): string | undefined {
  if (!envelope.startsWith(start)) return undefined;
  const end = envelope.indexOf('"', start.length);
  return end === -1 ? undefined : text(envelope.slice(start.length, end));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the receipt cannot be read, and is counted as that.
    return undefined;
  }
}
