import type { ReceiptBody, ReceiptKind } from '@/lib/ledger/receipt-predicate';
import type { ActionId, ReceiptId, SessionId } from '@/lib/shared/ids';

import { ofKind, type Entry } from './parse-entries';
import type { PlacedRoster } from './roster-history';

/** One receipt in a line of a list. Texts are as they were recorded: whoever shows them shows them as untrusted. */
export type ReceiptLine = {
  readonly index: number;
  /** Null: the envelope holds no receipt that is known here. */
  readonly kind: ReceiptKind | null;
  readonly at: string | null;
  readonly receipt: ReceiptId | null;
  readonly session: SessionId | null;
  readonly action: ActionId | null;
  /** `tool.operation` of the action, from its decision. */
  readonly operation: string | null;
  /** Agent, person or service. */
  readonly who: string | null;
  readonly decision: string | null;
  /** What it says beyond its kind: a verdict, a state, a code. */
  readonly note: string | null;
};

type Decided = { readonly operation: string; readonly agent: string };

/** Writes lines; made once for a bundle, for some of what a line says stands in other receipts. */
export class ReceiptLines {
  private readonly decided: ReadonlyMap<ActionId, Decided>;
  private readonly names: ReadonlyMap<string, string>;

  constructor(entries: readonly Entry[], rosters: readonly Pick<PlacedRoster, 'roster'>[]) {
    this.decided = new Map(
      ofKind(entries, 'action_decided').map(({ predicate }) => [predicate.action.id, { operation: `${predicate.tool}.${predicate.operation}`, agent: predicate.identity.agent }]),
    );
    this.names = new Map(rosters.flatMap(({ roster }) => roster.people.map(({ id, name }) => [id, name])));
  }

  /** A person's name as the signed roster has it; what is no person of the roster stands as its id. */
  nameOf(id: string): string {
    return this.names.get(id) ?? id;
  }

  of({ index, body }: Pick<Entry, 'index' | 'body'>): ReceiptLine {
    if (!body) return { index, kind: null, at: null, receipt: null, session: null, action: null, operation: null, who: null, decision: null, note: null };
    const { predicate } = body;
    const action = 'action' in predicate ? predicate.action.id : null;
    const decided = action === null ? undefined : this.decided.get(action);
    return {
      index,
      kind: body.kind,
      at: predicate.at,
      receipt: predicate.receipt,
      session: 'session' in predicate ? (predicate.session ?? null) : body.kind === 'action_decided' ? body.predicate.identity.session : null,
      action,
      operation: decided?.operation ?? null,
      who: this.whoOf(body) ?? decided?.agent ?? null,
      decision: body.kind === 'action_decided' ? body.predicate.decision : null,
      note: noteOf(body),
    };
  }

  private whoOf({ predicate }: ReceiptBody): string | undefined {
    if ('person' in predicate) return this.nameOf(predicate.person);
    if ('by' in predicate) return predicate.by.kind === 'person' ? this.nameOf(predicate.by.id) : predicate.by.id;
    if ('reported_by' in predicate) return predicate.reported_by.id;
    if ('identity' in predicate) return predicate.identity.agent;
    if ('agent' in predicate) return predicate.agent;
    return undefined;
  }
}

function noteOf({ kind, predicate }: ReceiptBody): string | null {
  if (kind === 'action_decided') return predicate.state;
  if ('verdict' in predicate) return predicate.verdict;
  if ('status' in predicate) return predicate.status;
  if ('state' in predicate && typeof predicate.state === 'string') return predicate.state;
  if ('outcome' in predicate && typeof predicate.outcome === 'string') return predicate.outcome;
  if ('revision' in predicate) return `revision ${String(predicate.revision)}`;
  if ('version' in predicate) return `version ${String(predicate.version)}`;
  if ('cause' in predicate) return predicate.cause;
  return 'code' in predicate ? predicate.code : null;
}
