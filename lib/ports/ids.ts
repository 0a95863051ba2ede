import type { IdKind, IdOf } from '@/lib/shared/ids';

/** Fresh unguessable ids (at least 100 random bits). */
export type Ids = {
  readonly make: <Kind extends IdKind>(kind: Kind) => IdOf<Kind>;
  /** A bearer token: 256 random bits behind a prefix that says what it is. Shown once, stored hashed. */
  readonly token: (prefix: string) => string;
  /** 16 random bytes. */
  readonly salt: () => Uint8Array;
};
