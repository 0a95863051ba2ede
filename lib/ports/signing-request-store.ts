import type { PolicyFormat } from '@/lib/policy/read-text';

import type { Tx } from './transaction';

export const signingPurposes = ['sign', 'apply', 'rollback'] as const;
export type SigningPurpose = (typeof signingPurposes)[number];

/** A policy that a command holds and owners sign in their browsers. `place` is the revision statement as text; envelopes are canonical DSSE texts. */
export type SigningRequestRow = {
  readonly purpose: SigningPurpose;
  /** The file's name, or the revision that is brought back. */
  readonly name: string;
  readonly text: string;
  readonly format: PolicyFormat;
  readonly signature: string | null;
  readonly place: string | null;
  readonly statement: string | null;
  readonly restores: number | null;
  readonly reason: string | null;
  readonly expires_at: string;
  readonly version: number;
  readonly done_at: string | null;
};

/** Found by the digest of a secret alone: nobody lists them. */
export type SigningRequestStore = {
  readonly add: (tx: Tx, digest: string, row: Omit<SigningRequestRow, 'version' | 'done_at'>) => Promise<void>;
  readonly find: (digest: string) => Promise<SigningRequestRow | undefined>;
  /** Compare-and-set on the version, by the database's clock not after the end. False: somebody signed in between, it is done, or its time is over. */
  readonly signed: (digest: string, version: number, envelopes: { readonly signature: string; readonly statement: string | null; readonly done: boolean }) => Promise<boolean>;
};
