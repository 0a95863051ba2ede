import type { GuardAllowlist } from '@/lib/authority/guard-directory/guard-allowlist';
import type { GuardProposal } from '@/lib/authority/guard-directory/guard-proposal';
import type { GuardAuthority, GuardReceipt } from '@/lib/authority/guard-directory/guard-receipt';
import type { Digest } from '@/lib/shared/ids';
import type { Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

export type WaitingInDirectory = {
  readonly proposal: GuardProposal;
  /** The user who wrote it, as the file system says. */
  readonly uid: number;
};

/** A state directory as it is now. */
export type SeenGuardDirectory = {
  readonly allowlist: GuardAllowlist;
  /** This process runs as the owner: it may list and apply. Otherwise `waiting` and `odd` are empty, and the owner's own command does it. */
  readonly owned: boolean;
  readonly waiting: readonly WaitingInDirectory[];
  /** What lies in the inbox and could never be applied, and why. */
  readonly odd: readonly { readonly name: string; readonly why: string }[];
};

export type AppliedInGuardDirectory = { readonly before: Digest; readonly after: Digest; readonly revision: number };

/**
 * The state directories that this process was started with, by the names given there. Nobody adds one later: not a person with any role, nor
 * a row of the database. Files are looked at anew each time.
 */
export type GuardDirectories = {
  /** The user of the operating system that this process runs as. */
  readonly uid: number;
  readonly attached: readonly { readonly name: string; readonly path: string }[];
  /** Failures: `not_found` for a name that is not attached; else why the directory cannot be trusted or read. */
  readonly look: (name: string) => Result<SeenGuardDirectory>;
  /** What became of a proposal there; undefined while it waits, and for one that never was. */
  readonly end: (name: string, id: Digest) => Result<GuardReceipt | undefined>;
  /**
   * Applies a proposal by its SHA-256. Applied already with this authority: the same answer again, so that whoever died before writing it
   * down asks once more.
   */
  readonly apply: (name: string, id: Digest, at: Timestamp, signed: GuardAuthority) => Result<AppliedInGuardDirectory>;
  readonly reject: (name: string, id: Digest, reason: string, at: Timestamp) => Result<void>;
  /** Calls `changed` with the name of a directory in which something happened, or may have. Returns the way to stop. */
  readonly watch: (changed: (name: string) => void) => () => void;
};
