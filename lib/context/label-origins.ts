import type { ActionId, SessionId } from '@/lib/shared/ids';

import type { ChainedEntry } from './entry';
import { LabelLedger } from './label-ledger';

/** Where a label of a session came from. */
export type LabelOrigin = {
  /** Step of the session, from 1. */
  readonly seq: number;
  readonly at: string;
  /** A permit's own label, what an output showed, what the session above had, or the level that a person lowered another to. */
  readonly how: 'permit' | 'outcome' | 'inherited' | 'lowered';
  /** `tool.operation`, the session above, or the person. */
  readonly where: string;
};

export type LabelWithOrigins = {
  readonly label: string;
  /** Oldest first; none for a level that stands for tags without number. */
  readonly origins: readonly LabelOrigin[];
  /** An action whose outcome is not in carries it: a lowering would not last. */
  readonly open: boolean;
};

/** Where each kept label may have come from at most. */
const mostOrigins = 20;

/**
 * The labels of a session, with where each came from: the ledger of its chain, played again for people. What was lowered forgets
 * where it had come from, so that what raised it since is seen at once.
 */
export class LabelOrigins {
  private readonly ledger = new LabelLedger();
  private readonly origins = new Map<string, LabelOrigin[]>();
  private readonly actions = new Map<ActionId, { readonly key: string; readonly labels: readonly string[] }>();

  /** A child begins with all that the session above it had. */
  inherit(above: LabelOrigins, parent: SessionId, at: string): void {
    const labels = above.current().map(({ label }) => label);
    this.ledger.raise(labels);
    this.note(labels, { seq: 1, at, how: 'inherited', where: parent });
  }

  take({ seq, entry }: ChainedEntry): void {
    switch (entry.kind) {
      case 'permit': {
        const key = `${entry.tool}.${entry.operation}`;
        this.ledger.raiseByPermit(entry.action, entry.labels);
        this.actions.set(entry.action, { key, labels: entry.labels });
        this.note(entry.labels, { seq, at: entry.at, how: 'permit', where: key });
        return;
      }
      case 'outcome': {
        const of = this.actions.get(entry.action);
        this.actions.delete(entry.action);
        this.ledger.settle(entry.action);
        this.ledger.raise(entry.labels);
        this.note([...(of?.labels ?? []).filter((label) => !this.origins.has(label)), ...entry.labels], { seq, at: entry.at, how: 'outcome', where: of?.key ?? 'outcome' });
        return;
      }
      case 'lowering':
        this.ledger.lower(entry.label, entry.to);
        this.origins.delete(entry.label);
        if (entry.to !== null) this.note([entry.to], { seq, at: entry.at, how: 'lowered', where: entry.person });
        return;
      default:
    }
  }

  current(): readonly LabelWithOrigins[] {
    const running = new Set([...this.actions.values()].flatMap(({ labels }) => labels));
    return this.ledger.current().map((label) => ({ label, origins: this.origins.get(label) ?? [], open: running.has(label) }));
  }

  private note(labels: readonly string[], origin: LabelOrigin): void {
    for (const label of labels) {
      const known = this.origins.get(label) ?? [];
      if (known.some(({ seq, how }) => seq === origin.seq && how === origin.how)) continue;
      known.push(origin);
      if (known.length > mostOrigins) known.splice(1, 1);
      this.origins.set(label, known);
    }
  }
}
