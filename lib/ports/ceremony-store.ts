import type { Tx } from './transaction';

/** `recovery`: the recovery key has signed the root; its new owners sign what comes into force with it. */
export type CeremonyKind = 'trust_root' | 'roster' | 'recovery';
export type CeremonyState = 'open' | 'completed' | 'withdrawn' | 'superseded';

/**
 * Signatures that are being collected for one document, and for those that have to come into force with it. Nothing in a row counts:
 * whoever completes the ceremony checks every signature.
 */
export type CeremonyRow = {
  /** Of the document's bytes: one document has one ceremony. */
  readonly digest: string;
  readonly kind: CeremonyKind;
  /** Canonical JSON of the change that the document is made by. */
  readonly change: string;
  /** Canonical JSON of the envelopes by the name of their document. */
  readonly envelopes: string;
  readonly state: CeremonyState;
  readonly started_by: string;
  readonly started_at: string;
};

export type CeremonyStore = {
  /** Oldest first, 100 at most. */
  readonly open: (tx?: Tx) => Promise<readonly CeremonyRow[]>;
  readonly find: (digest: string, tx?: Tx) => Promise<CeremonyRow | undefined>;
  readonly add: (tx: Tx, row: CeremonyRow) => Promise<void>;
  /** Only an open one takes signatures; false: it is not open. */
  readonly keep: (tx: Tx, digest: string, envelopes: string) => Promise<boolean>;
  readonly end: (tx: Tx, digest: string, state: Exclude<CeremonyState, 'open'>, at: string) => Promise<boolean>;
};
