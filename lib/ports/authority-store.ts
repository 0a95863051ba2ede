import type { Digest } from '@/lib/shared/ids';

import type { Tx } from './transaction';

export type DocumentRow = { readonly version: number; readonly envelope: string };

export type PolicyRow = {
  readonly revision: number;
  readonly digest: string;
  readonly text: string;
  readonly format: 'yaml' | 'json' | 'markdown';
  /** DSSE over the exact bytes, and DSSE over the revision statement. */
  readonly signature: string;
  readonly statement: string;
  readonly applied_by: string;
  readonly applied_at: string;
};

export type SwitchRow = { readonly scope: 'all' | 'agent' | 'tool'; readonly subject: string; readonly thrown_by: string; readonly thrown_at: string };

export type AuthorityStore = {
  readonly trustRoots: (tx?: Tx) => Promise<readonly DocumentRow[]>;
  readonly rosters: (tx?: Tx) => Promise<readonly DocumentRow[]>;
  /** All revisions, newest first, up to `limit`. */
  readonly policies: (limit: number, tx?: Tx) => Promise<readonly PolicyRow[]>;
  /** Revisions that say they have this digest, newest first; a few, since roll-backs repeat a text. */
  readonly policiesOf: (digest: Digest, tx?: Tx) => Promise<readonly PolicyRow[]>;
  readonly addTrustRoot: (tx: Tx, row: DocumentRow) => Promise<void>;
  readonly addRoster: (tx: Tx, row: DocumentRow) => Promise<void>;
  readonly addPolicy: (tx: Tx, row: PolicyRow) => Promise<void>;
  /** Switches that are on. */
  readonly switches: (tx?: Tx) => Promise<readonly SwitchRow[]>;
  readonly throwSwitch: (tx: Tx, row: SwitchRow) => Promise<void>;
  readonly releaseSwitch: (tx: Tx, scope: SwitchRow['scope'], subject: string, at: string) => Promise<boolean>;
  /** Epoch, size and root of the log, unlocked: what a process compares with its pins and cache. */
  readonly position: () => Promise<{ readonly epoch: bigint; readonly size: bigint; readonly root: Uint8Array; readonly now: string }>;
};
