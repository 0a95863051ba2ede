import { z } from 'zod';

import type { Digest } from '@/lib/shared/ids';
import type { ErrorCode } from '@/lib/shared/error-codes';
import type { Issue } from '@/lib/shared/result';
import { bounds } from '@/lib/shared/bounds';

import { envelope } from './fields';
import type { DocumentToSign } from './set-up';

export const policyFormats = ['yaml', 'json', 'markdown'] as const;
export type PolicyFormat = (typeof policyFormats)[number];

export const policyText = z.string().min(1).max(bounds.policyBytes).refine((value) => value.isWellFormed(), { error: 'The text holds a lone surrogate.' }).refine((value) => !value.includes('\0'), { error: 'The text holds a NUL, which no row can keep.' });

export const preparePolicyInput = z.strictObject({ text: policyText, format: z.enum(policyFormats) });
export type PreparePolicyInput = z.infer<typeof preparePolicyInput>;

export type PreparedPolicy = {
  readonly revision: number;
  readonly digest: string;
  readonly policy: DocumentToSign;
  readonly policy_revision: DocumentToSign;
};

/** `signature` is DSSE over the exact bytes (the content of NAME.yaml.sig.json), `statement` DSSE over the revision statement. */
export const applyPolicyInput = z.strictObject({
  text: policyText,
  format: z.enum(policyFormats),
  signature: envelope(2 * bounds.policyBytes),
  statement: envelope(16 * 1024),
  origin: z.enum(['console', 'file', 'rollback']).default('console'),
});
export type ApplyPolicyInput = z.infer<typeof applyPolicyInput>;

export type AppliedPolicy = { readonly revision: number; readonly digest: string; readonly receipt: string };

export type RevisionView = {
  readonly revision: number;
  readonly digest: string;
  readonly format: PolicyFormat;
  readonly applied_at: string;
  readonly applied_by: string;
  /** Names of the owners whose signatures verify now; empty when it does not. */
  readonly signers: readonly string[];
  /** Owners that its class asks for, under the trust root in force when it came into force. */
  readonly needed: number;
  readonly verification: { readonly state: 'verified' } | { readonly state: 'refused'; readonly code: ErrorCode; readonly detail: string };
  readonly in_force: boolean;
};

export type PoliciesView = {
  readonly in_force: { readonly revision: number; readonly digest: Digest; readonly text: string; readonly format: PolicyFormat; readonly rules: number } | null;
  /** Why nothing, or not the newest, is in force. */
  readonly refusal: { readonly code: ErrorCode; readonly title: string; readonly detail: string } | null;
  readonly revisions: readonly RevisionView[];
  readonly owners: readonly string[];
};

export const revisionQuery = z.strictObject({ revision: z.coerce.number().int().min(1) });
export type RevisionTextView = RevisionView & { readonly text: string; readonly signature: string; readonly statement: string };

export type PolicyFindings = { readonly issues: readonly Issue[] };
