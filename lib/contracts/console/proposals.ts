import { z } from 'zod';

import type { ChangeClass, RevisionReference } from '@/lib/authority/policy-revision';
import type { ProposalState } from '@/lib/authority/proposal';
import { digestField } from '@/lib/shared/document-fields';
import { bounds } from '@/lib/shared/bounds';

import { envelope, id, reason } from './fields';
import type { GrantView } from './grants';
import { policyFormats, policyText, type PolicyFormat } from './policies';
import type { DocumentToSign } from './set-up';

/** Steps that one statement signs at most. */
const mostSteps = 20;

const target = z.enum(['policy', 'grant']);
const base = z.strictObject({ revision: z.int().min(1), digest: digestField }).nullable();

export const prepareProposalInput = z.strictObject({ target: target.default('policy'), text: policyText, format: z.enum(policyFormats) });
export type PrepareProposalInput = z.infer<typeof prepareProposalInput>;

export type PreparedProposal = { readonly proposal: string; readonly base: RevisionReference | null; readonly digest: string; readonly statement: DocumentToSign };

export const makeProposalInput = z.strictObject({
  proposal: id('proposal'),
  target: target.default('policy'),
  text: policyText,
  format: z.enum(policyFormats),
  base,
  reason: reason.optional(),
  envelope: envelope(16 * 1024),
  origin: z.enum(['console', 'suggestion', 'rebase']).default('console'),
  rebased_from: id('proposal').optional(),
  /** Cases of `*.test.yaml` that come with it. */
  tests: z.string().min(1).max(1024 * 1024).refine((value) => value.isWellFormed() && !value.includes('\0'), { error: 'The tests hold a character that no text may.' }).optional(),
});
export type MakeProposalInput = z.infer<typeof makeProposalInput>;

export const proposalQuery = z.strictObject({ id: id('proposal') });
export const withdrawProposalInput = z.strictObject({ proposal: id('proposal') });
export const rejectProposalInput = z.strictObject({ proposal: id('proposal'), reason: reason.min(1, { error: 'Say why: the proposer is told.' }) });
export const rebaseProposalInput = z.strictObject({ proposal: id('proposal') });

const chain = z.array(id('proposal')).min(1).max(mostSteps).refine((ids) => new Set(ids).size === ids.length, { error: 'A proposal is named twice.' });
export const orderProposalsInput = z.strictObject({ proposals: chain });
export const prepareSigningInput = orderProposalsInput;

export type PreparedSigning = {
  /** The statement over all steps, in order. */
  readonly statement: DocumentToSign;
  readonly steps: readonly {
    readonly proposal: string;
    readonly digest: string;
    readonly change: ChangeClass;
    readonly needed: number;
    /** Owners whose signatures count so far, without this one. */
    readonly counted: number;
    /** This signature counts. */
    readonly counts: boolean;
    readonly self_signed: boolean;
    readonly documents: readonly DocumentToSign[];
  }[];
};

export const signProposalsInput = z.strictObject({
  proposals: chain,
  statement: envelope(64 * 1024),
  /** For each step what takes effect by it, in the order in which it was prepared. In objects: React refuses long strings in nested arrays. */
  documents: z.array(z.array(z.strictObject({ envelope: envelope(2 * bounds.policyBytes) })).min(1).max(4)).min(1).max(mostSteps),
});
export type SignProposalsInput = z.infer<typeof signProposalsInput>;

export const applyProposalInput = z.strictObject({ proposal: id('proposal') });

/** What became of each step: in force, or what it still waits for. */
export type SignedStep = { readonly proposal: string; readonly applied: boolean; readonly revision: number | null; readonly waits: string | null };
export type SignedProposals = { readonly steps: readonly SignedStep[] };

/** Who proposed it; an agent's name is its id. */
export type ProposalMaker = { readonly kind: string; readonly id: string; readonly name: string };

/** Rules that a proposal touches, by id. */
export type TouchedRules = { readonly added: readonly string[]; readonly changed: readonly string[]; readonly removed: readonly string[] };

/** Terms of a grant that is asked for, as its document has them. */
export type ProposedGrant = Pick<GrantView, 'agent' | 'tool' | 'operation' | 'scope' | 'uses' | 'expires_at' | 'reason'>;

export type ProposalCard = {
  readonly id: string;
  readonly target: 'policy' | 'grant' | 'allowlist';
  readonly state: ProposalState;
  readonly origin: string;
  readonly maker: ProposalMaker;
  readonly at: string;
  readonly base: RevisionReference | null;
  readonly digest: string;
  readonly rules: TouchedRules;
  /** Of a proposal for a grant: what it would give. Null: it is for something else, or its text was not read. */
  readonly grant: ProposedGrant | null;
  readonly change: ChangeClass | null;
  readonly applicable: boolean | null;
  /** Owners whose signatures count, of those that its class asks for; as loosening while it is not proved. */
  readonly signed: number;
  readonly needed: number;
  /** Rests on what is in force, or on another proposal that does; a live one that does not is stale. */
  readonly rests_on: 'in_force' | 'proposal' | 'nothing';
  readonly revision: number | null;
  readonly ended_at: string | null;
};

export type ProposalsView = {
  readonly live: readonly ProposalCard[];
  readonly ended: readonly ProposalCard[];
  readonly in_force: RevisionReference | null;
};

/** Both sides changed the same lines of the base. */
export type RebaseConflict = { readonly from_line: number; readonly in_force: string; readonly proposed: string };

export type ProposalDetail = ProposalCard & {
  readonly text: string;
  readonly format: PolicyFormat;
  /** Empty where there was nothing, null where the text is no longer there. */
  readonly base_text: string | null;
  readonly in_force: RevisionReference | null;
  readonly reason: string | null;
  readonly session: string | null;
  readonly rebased_from: string | null;
  readonly replaced_by: string | null;
  readonly ended_by: string | null;
  readonly ended_reason: string | null;
  readonly ended_receipt: string | null;
  readonly proposed_receipt: string;
  readonly signatures: readonly { readonly person: string; readonly name: string; readonly at: string; readonly counts: boolean; readonly self_signed: boolean; readonly receipt: string }[];
  /** Names of those who do not count where two or more are asked for. */
  readonly not_counted: readonly string[];
  /** Why nobody may rely on the row: it says something else than its receipts. */
  readonly altered: string | null;
  /** What a rebase on what is in force would run into; of one that is stale. */
  readonly conflicts: readonly RebaseConflict[];
  /** Cool-off: when what is signed may come into force. */
  readonly applies_from: string | null;
  readonly signed_by_me: boolean;
  /** What this viewer may do now. */
  readonly may: { readonly sign: boolean; readonly reject: boolean; readonly withdraw: boolean; readonly apply: boolean; readonly rebase: boolean };
};
