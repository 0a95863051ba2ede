import { z } from 'zod';

import type { ChangeClass, RevisionReference } from '@/lib/authority/policy-revision';
import type { ProposalState } from '@/lib/authority/proposal';
import { digestField } from '@/lib/shared/document-fields';
import type { PolicyProof } from '@/lib/policy/proof';
import { bounds } from '@/lib/shared/bounds';

import { envelope, id, reason } from './fields';
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
  /** For each step what takes effect by it, in the order in which it was prepared. */
  documents: z.array(z.array(envelope(2 * bounds.policyBytes)).min(1).max(4)).min(1).max(mostSteps),
});
export type SignProposalsInput = z.infer<typeof signProposalsInput>;

export const applyProposalInput = z.strictObject({ proposal: id('proposal') });

/** What became of each step: in force, or what it still waits for. */
export type SignedStep = { readonly proposal: string; readonly applied: boolean; readonly revision: number | null; readonly waits: string | null };
export type SignedProposals = { readonly steps: readonly SignedStep[] };

type Maker = { readonly kind: string; readonly id: string; readonly name: string };

export type ProposalCard = {
  readonly id: string;
  readonly target: 'policy' | 'grant' | 'allowlist';
  readonly state: ProposalState;
  readonly origin: string;
  readonly maker: Maker;
  readonly at: string;
  readonly base: RevisionReference | null;
  readonly digest: string;
  /** Rules that it adds, changes or takes away, as ids. */
  readonly change: ChangeClass | null;
  readonly applicable: boolean | null;
  readonly signed: number;
  readonly needed: number;
  /** Rests on what is in force, or on another proposal that does. */
  readonly resting: boolean;
  readonly mine: boolean;
  readonly signed_by_me: boolean;
  readonly revision: number | null;
  readonly ended_at: string | null;
};

export type ProposalsView = {
  readonly live: readonly ProposalCard[];
  readonly ended: readonly ProposalCard[];
  readonly in_force: { readonly revision: number; readonly digest: string; readonly rules: number } | null;
};

export type ProposalDetail = ProposalCard & {
  readonly text: string;
  readonly format: PolicyFormat;
  readonly base_text: string | null;
  readonly reason: string | null;
  readonly session: string | null;
  readonly rebased_from: string | null;
  readonly replaced_by: string | null;
  readonly ended_by: string | null;
  readonly ended_reason: string | null;
  /** The receipts of it, in order. */
  readonly receipts: readonly { readonly kind: string; readonly id: string; readonly at: string }[];
  readonly proof: PolicyProof | null;
  readonly proof_digest: string | null;
  readonly signatures: readonly { readonly person: string; readonly name: string; readonly at: string; readonly counts: boolean; readonly self_signed: boolean }[];
  /** Names of those who do not count where two or more are asked for. */
  readonly not_counted: readonly string[];
  /** The rules that it touches, by id. */
  readonly rules: { readonly added: readonly string[]; readonly changed: readonly string[]; readonly removed: readonly string[] };
  readonly may: { readonly sign: string | null; readonly reject: boolean; readonly withdraw: boolean; readonly apply: boolean };
  /** Of a stale one: what a rebase would run into. */
  readonly conflicts: readonly { readonly from_line: number; readonly in_force: string; readonly proposed: string }[];
  readonly applies_from: string | null;
};
