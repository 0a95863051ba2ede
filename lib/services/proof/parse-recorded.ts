import { decisionKinds, type DecisionKind } from '@/lib/mediate/catalogue';
import type { ApprovalId, Digest, ReceiptId } from '@/lib/shared/ids';
import { having, idOf, isDigestText, isText, listOf, oneOf, orNull, type Guard } from '@/lib/shared/shape';

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

type Decided = {
  readonly predicate: {
    readonly receipt: ReceiptId;
    readonly at: string;
    readonly identity: { readonly agent: string };
    readonly tool: string;
    readonly operation: string;
    readonly decision: DecisionKind;
    readonly code: string;
    readonly engine_version: string;
    readonly policy: { readonly digest: Digest } | null;
    readonly action: { readonly digest: Digest };
    readonly snapshot_digest: Digest | null;
    readonly approval?: { readonly id: ApprovalId };
    readonly transformed_digest?: Digest;
    readonly permit?: { readonly obligations: readonly unknown[]; readonly grants?: readonly unknown[] };
  };
};

const anything: Guard<unknown> = (value): value is unknown => value !== undefined;
const isApproval = idOf('approval');
const withDigest = having<{ readonly digest: Digest }>({ digest: isDigestText });

/** Only the fields that are read: whose log it is has parsed the rest before signing, and its tree vouches for these very bytes. */
const isDecided = having<Decided>({
  predicate: having<Decided['predicate']>({
    receipt: idOf('receipt'), at: isText, identity: having<Decided['predicate']['identity']>({ agent: isText }), tool: isText, operation: isText, decision: oneOf(decisionKinds), code: isText,
    engine_version: isText, policy: orNull(withDigest), action: withDigest, snapshot_digest: orNull(isDigestText), approval: having<{ readonly id: ApprovalId }>({ id: isApproval }),
    transformed_digest: isDigestText, permit: having<NonNullable<Decided['predicate']['permit']>>({ obligations: listOf(anything), grants: listOf(anything) }, ['grants']),
  }, ['approval', 'transformed_digest', 'permit']),
});

type Resolved = { readonly predicate: { readonly approval: ApprovalId; readonly state: string } };
const isResolved = having<Resolved>({ predicate: having<Resolved['predicate']>({ approval: isApproval, state: isText }) });

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
    if (!isResolved(statement)) return { is: 'unreadable' };
    const { approval, state } = statement.predicate;
    return { is: 'resolved', approval, state };
  }
  if (!isDecided(statement)) return { is: 'unreadable' };
  const { predicate } = statement;
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
