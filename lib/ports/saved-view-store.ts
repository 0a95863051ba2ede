import type { PersonId, ViewId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

/** A named list of receipts of one person. `filters` is canonical JSON as the contract has it. */
export type SavedViewRow = { readonly id: ViewId; readonly name: string; readonly filters: string; readonly created_at: string };

/** Every call names the person: nobody reaches another one's views. */
export type SavedViewStore = {
  /** By name. */
  readonly list: (person: PersonId, tx?: Tx) => Promise<readonly SavedViewRow[]>;
  readonly add: (tx: Tx, person: PersonId, row: SavedViewRow) => Promise<void>;
  /** False when the person has no such view. */
  readonly rename: (tx: Tx, person: PersonId, id: ViewId, name: string) => Promise<boolean>;
  readonly remove: (tx: Tx, person: PersonId, id: ViewId) => Promise<boolean>;
};
