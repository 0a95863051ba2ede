import type { KeyId, PersonId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

export type PersonRow = {
  readonly id: PersonId;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly password_hash: string | null;
  readonly suspended_at: string | null;
  readonly signed_out_at: string | null;
};

export type EnrolmentRow = {
  readonly id: string;
  readonly person: PersonId;
  readonly key: KeyId;
  /** DSSE by the new key over the enrolment statement. */
  readonly envelope: string;
  readonly state: 'waiting' | 'enrolled' | 'refused';
  readonly created_at: string;
};

export type PeopleStore = {
  readonly add: (tx: Tx, row: PersonRow) => Promise<void>;
  readonly byEmail: (email: string, tx?: Tx) => Promise<PersonRow | undefined>;
  readonly byId: (id: PersonId, tx?: Tx) => Promise<PersonRow | undefined>;
  readonly list: () => Promise<readonly PersonRow[]>;
  readonly setPassword: (tx: Tx, id: PersonId, hash: string) => Promise<void>;
  readonly suspend: (tx: Tx, id: PersonId, at: string | null) => Promise<boolean>;
  readonly signOutEverywhere: (tx: Tx, id: PersonId, at: string) => Promise<void>;
  readonly addEnrolment: (tx: Tx, row: EnrolmentRow) => Promise<void>;
  readonly enrolments: (state: EnrolmentRow['state'], tx?: Tx) => Promise<readonly EnrolmentRow[]>;
  readonly resolveEnrolment: (tx: Tx, id: string, state: 'enrolled' | 'refused') => Promise<boolean>;
  /** What this person calls their keys, by key. */
  readonly keyLabels: (person: PersonId) => Promise<ReadonlyMap<KeyId, string>>;
  /** Names a key, in place of the name before. */
  readonly labelKey: (tx: Tx, person: PersonId, key: KeyId, label: string) => Promise<void>;
  /** Set-up links: hashed, single use. */
  readonly addSetUpLink: (tx: Tx, tokenDigest: string, expiresAt: string) => Promise<void>;
  readonly findSetUpLink: (tokenDigest: string) => Promise<{ readonly expires_at: string; readonly used_at: string | null } | undefined>;
  readonly useSetUpLink: (tx: Tx, tokenDigest: string, at: string) => Promise<boolean>;
};
