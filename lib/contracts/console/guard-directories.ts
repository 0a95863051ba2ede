import { z } from 'zod';

import type { ProposalState } from '@/lib/authority/proposal';
import type { ProposalId } from '@/lib/shared/ids';

import { envelope, id, reason } from './fields';
import type { DocumentToSign } from './set-up';

const proposal = id('proposal');

export const prepareGuardSigningInput = z.strictObject({ proposal });
export type PreparedGuardSigning = {
  /** The statement over base, file, class and proof; and what takes effect: the change of the allowlist. */
  readonly statement: DocumentToSign;
  readonly application: DocumentToSign;
  readonly needed: number;
  /** Owners whose signatures count so far, without this one. */
  readonly counted: number;
};

export const signGuardProposalInput = z.strictObject({ proposal, statement: envelope(64 * 1024), application: envelope(64 * 1024) });
export type SignedGuardProposal = {
  readonly applied: boolean;
  readonly revision: number | null;
  /** What it still waits for. */
  readonly waits: string | null;
};

export const rejectGuardProposalInput = z.strictObject({ proposal, reason: reason.min(1, { error: 'Say why: it is kept with the proposal.' }) });

/** An attached state directory as it is now. */
export type GuardDirectoryView = {
  readonly name: string;
  readonly path: string;
  /** Why it cannot be trusted or read; everything below is empty then. */
  readonly refusal: string | null;
  /** The console runs as its owner: it lists and applies. */
  readonly owned: boolean;
  readonly owner_uid: number | null;
  readonly agent_uid: number | null;
  readonly revision: number | null;
  readonly digest: string | null;
  readonly permissions: readonly string[];
  readonly odd: readonly { readonly name: string; readonly why: string }[];
};

/** A file of an inbox, taken up as a proposal. */
export type GuardCard = {
  readonly id: ProposalId;
  readonly directory: string;
  readonly state: ProposalState;
  readonly permission: string;
  /** The requester's words, which nobody vouches for. */
  readonly reason: string;
  readonly requested_at: string;
  /** The user who wrote the file. */
  readonly uid: string;
  /** When it was taken up. */
  readonly at: string;
  /** The file, byte for byte, and its SHA-256. */
  readonly text: string;
  readonly digest: string;
  readonly base: { readonly revision: number; readonly digest: string };
  readonly signed: readonly { readonly name: string; readonly at: string }[];
  readonly needed: number;
  readonly signed_by_me: boolean;
  readonly end: { readonly at: string; readonly by: string; readonly reason: string | null; readonly revision: number | null; readonly receipt: string } | null;
};

export type GuardDirectoriesView = {
  /** The user that the console runs as. */
  readonly console_uid: number;
  readonly directories: readonly GuardDirectoryView[];
  readonly live: readonly GuardCard[];
  readonly ended: readonly GuardCard[];
  /** The viewer is an owner of the trust root. */
  readonly may_sign: boolean;
};
