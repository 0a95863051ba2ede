import { LabelLedger } from '@/lib/context/label-ledger';
import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ActionId, Digest, SessionId } from '@/lib/shared/ids';

import type { Entry } from './parse-entries';

type Supplied = ReceiptPredicate<'attributes_supplied'>['attributes'][number];
type Permitted = { readonly action: ActionId; readonly key: string };

type Trace = { readonly labels: LabelLedger; readonly permitted: Permitted[]; readonly supplied: Supplied[]; opened: boolean };

/** What receipts before a decision say that its session had come to: whatever a snapshot says, it cannot be less. */
export type Before = {
  /** Labels of outputs that nobody has lowered. */
  readonly labels: readonly string[];
  /** Permits by `tool.operation`, the action's own not counted. */
  readonly permits: ReadonlyMap<string, number>;
  /** Facts that the session or one above it was told. Undefined: what came before is not all in the bundle. */
  readonly supplied: readonly (Pick<Supplied, 'subject' | 'name' | 'source'> & { readonly value_digest: Digest | null })[] | undefined;
};

/** Follows what the receipts of each session say of labels, permits and facts. Owned by one walk over the log, in order. */
export class SessionTraces {
  private readonly traces = new Map<SessionId, Trace>();
  private readonly keys = new Map<ActionId, string>();

  before({ identity, action }: ReceiptPredicate<'action_decided'>): Before {
    const trace = this.traces.get(identity.session);
    const family = [identity.session, ...identity.delegation].map((session) => this.traces.get(session));
    const permits = new Map<string, number>();
    for (const one of trace?.permitted ?? []) if (one.action !== action.id) permits.set(one.key, (permits.get(one.key) ?? 0) + 1);
    const isWhole = family.every((one) => one?.opened === true);
    return { labels: trace?.labels.current() ?? [], permits, supplied: isWhole ? family.flatMap((one) => one?.supplied ?? []) : undefined };
  }

  take({ body, anchor }: Entry): void {
    if (body) this.takeBody(body, anchor);
  }

  private takeBody({ kind, predicate }: ReceiptBody, anchor: boolean): void {
    switch (kind) {
      case 'session_opened':
        this.of(predicate.session).opened = !anchor;
        return;
      case 'action_decided': {
        const key = `${predicate.tool}.${predicate.operation}`;
        this.keys.set(predicate.action.id, key);
        if (predicate.permit) this.of(predicate.identity.session).permitted.push({ action: predicate.action.id, key });
        return;
      }
      case 'permit_issued': {
        const key = this.keys.get(predicate.action.id);
        if (key !== undefined) this.of(predicate.session).permitted.push({ action: predicate.action.id, key });
        return;
      }
      case 'outcome_reported':
        this.of(predicate.session).labels.raise(predicate.labels);
        return;
      case 'label_lowered':
        this.of(predicate.session).labels.lower(predicate.label, predicate.to);
        return;
      case 'attributes_supplied':
        this.of(predicate.session).supplied.push(...predicate.attributes);
        return;
      default:
    }
  }

  private of(session: SessionId): Trace {
    const known = this.traces.get(session) ?? { labels: new LabelLedger(), permitted: [], supplied: [], opened: false };
    this.traces.set(session, known);
    return known;
  }
}
