import type { Digest, GrantId, PersonId, ProposalId, ReceiptId } from '@/lib/shared/ids';
import type { Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

/** A throw that is on. `proven`: by a key that might sign at its position, and not just by one that ever might. */
export type StandingThrow = {
  readonly scope: 'all' | 'agent' | 'tool';
  /** Empty for all. */
  readonly target: string;
  readonly receipt: ReceiptId;
  readonly epoch: number;
  readonly by: string;
  readonly at: Timestamp;
  readonly reason: string;
  readonly proven: boolean;
};

/** A suspension of an agent that stands. `proven`: as of a throw. */
export type SuspendedAgent = { readonly agent: string; readonly at: Timestamp; readonly receipt: ReceiptId; readonly proven: boolean };

/** When somebody was suspended last, and with which roster they were taken back last. */
export type SuspendedPerson = {
  readonly person: PersonId;
  readonly suspended_at: Timestamp | null;
  readonly restored: { readonly at: Timestamp; readonly roster_version: number } | null;
};

/** A grant that has not run out: how often it was used, and whether it was revoked or replaced. */
export type CountedGrant = { readonly grant: GrantId; readonly expires_at: Timestamp; readonly used: number; readonly ended: boolean };

/** What the leaves of a log below `read` say was stopped. Complete, so nothing below is ever looked for again. */
export type KeptTightened = {
  readonly read: { readonly size: number; readonly root: Digest };
  readonly switches: readonly StandingThrow[];
  /** Credentials that were revoked. */
  readonly revoked: readonly string[];
  /** Under which name each vouching credential was made. */
  readonly subjects: readonly { readonly credential: string; readonly subject: string }[];
  /** Keys that their people revoked, and at which position. */
  readonly keys: readonly { readonly key: string; readonly index: number }[];
  readonly agents: readonly SuspendedAgent[];
  /** Who registered each agent. */
  readonly registrants: readonly { readonly agent: string; readonly person: PersonId }[];
  readonly people: readonly SuspendedPerson[];
  readonly grants: readonly CountedGrant[];
  /** Requests and actions that people denied or took back, and when: none waits for longer than a month. */
  readonly ended: readonly { readonly id: string; readonly at: Timestamp }[];
  /** Proposals that an owner has signed; turned down since, or not. */
  readonly proposals: readonly { readonly proposal: ProposalId; readonly turned_down: boolean }[];
  /** Where each trust root came into force first. */
  readonly roots: readonly { readonly digest: Digest; readonly index: number }[];
};

/** Outside the database: what the processes of a state directory have read in the log. What cannot be read is a failure, never "none". */
export type TightenedMemory = {
  /** Undefined: nothing was ever kept. */
  readonly read: () => Promise<Result<KeptTightened | undefined>>;
  /**
   * Durable before it returns. What another process has kept of a longer log stays, unless that is the very position that `instead` names:
   * of a history that an owner has given up.
   */
  readonly keep: (kept: KeptTightened, instead?: KeptTightened['read']) => Promise<void>;
};
