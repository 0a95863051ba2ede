import type { Tx } from './transaction';

/** What happened, by id only; whoever cares reads the rest. Lost events cost time, never truth: every listener also looks by itself. */
export type DomainEvent =
  | { readonly kind: 'action_changed'; readonly id: string }
  | { readonly kind: 'approval_changed'; readonly id: string }
  | { readonly kind: 'session_changed'; readonly id: string }
  | { readonly kind: 'proposal_changed'; readonly id: string }
  | { readonly kind: 'epoch_raised'; readonly id: string }
  | { readonly kind: 'log_grew'; readonly id: string }
  /** Every session of this person is over: signed out, suspended, or a new password. */
  | { readonly kind: 'sessions_ended'; readonly id: string };

export type EventBus = {
  /** Heard by every process after this transaction commits, and not at all when it does not. */
  readonly publish: (tx: Tx, events: readonly DomainEvent[]) => Promise<void>;
  /** Returns the way to stop listening. `lost` is called after a break in the connection: look at everything again. */
  readonly subscribe: (listener: (event: DomainEvent) => void, lost: () => void) => () => void;
};
