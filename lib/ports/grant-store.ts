import type { GrantId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

/** A grant's row. `envelope` is the owners' DSSE with the signatures so far; until `issued_at` it gives nothing. */
export type GrantRow = {
  readonly id: GrantId;
  readonly agent: string;
  readonly tool: string;
  readonly operation: string | null;
  readonly uses: number;
  readonly used: number;
  readonly expires_at: string;
  readonly envelope: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly issued_at: string | null;
  /** Revoked, replaced, given up before it was issued, or ended with its agent. */
  readonly ended_at: string | null;
};

/** One more use: the row must still say `seen` and not have ended; `use` is what it says afterwards. */
export type GrantUse = { readonly id: GrantId; readonly seen: number; readonly use: number; readonly expires_at: string };

/** Rows find and count grants. What one gives is read from signed receipts; a row can only make it less. */
export type GrantStore = {
  readonly find: (ids: readonly GrantId[], tx?: Tx) => Promise<ReadonlyMap<GrantId, GrantRow>>;
  /** Newest first. */
  readonly list: (limit: number, tx?: Tx) => Promise<readonly GrantRow[]>;
  /** Issued and not ended, of one agent. */
  readonly standingOf: (tx: Tx, agent: string) => Promise<readonly GrantId[]>;
  readonly add: (tx: Tx, row: GrantRow) => Promise<void>;
  /** A further signature, and that it is issued once there are enough. False: it is issued or ended already. */
  readonly sign: (tx: Tx, id: GrantId, envelope: string, issuedAt: string | null) => Promise<boolean>;
  /** By compare-and-set on the uses so far. */
  readonly consume: (tx: Tx, use: GrantUse) => Promise<boolean>;
  readonly end: (tx: Tx, id: GrantId, at: string) => Promise<boolean>;
};
