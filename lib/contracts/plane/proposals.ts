import { z } from 'zod';

import { proposalStates } from '@/lib/authority/proposal';
import { mostGrantUses } from '@/lib/ledger/predicates/grants';
import { bounds } from '@/lib/shared/bounds';
import { digestField } from '@/lib/shared/document-fields';

import { idSchema, jsonSchema, wellFormed } from './common';

const formats = z.enum(['yaml', 'json', 'markdown']);

/**
 * A change to the policy that an agent asks for: the whole text, or a unified diff against the base. `base` says what it was written on;
 * what is not in force any more is refused. `reason` is shown as the agent's own words, and vouches for nothing.
 */
export const proposeChangeBody = z
  .strictObject({
    target: z.literal('policy').optional(),
    base: z.strictObject({ revision: z.int().min(1), digest: digestField }),
    text: wellFormed(bounds.bodyBytes).min(1).optional(),
    patch: wellFormed(bounds.bodyBytes).min(1).optional(),
    format: formats.optional(),
    reason: wellFormed(bounds.reasonText).optional(),
    session: idSchema('session').optional(),
  })
  .refine(({ text, patch }) => (text === undefined) !== (patch === undefined), { message: 'Either text or patch is needed here.', path: ['text'] });
export type ProposeChangeBody = z.infer<typeof proposeChangeBody>;

const grantTerms = {
  tool: wellFormed(200).min(1),
  /** Left out, or null: every operation of the tool. */
  operation: wellFormed(200).min(1).nullable().optional(),
  /** Conditions on arguments, as grants have them; left out, or null: any arguments. */
  scope: jsonSchema.optional(),
  uses: z.int().min(1).max(mostGrantUses),
  expires_at: z.iso.datetime({ precision: 3 }),
  reason: wellFormed(bounds.reasonText).optional(),
  session: idSchema('session').optional(),
};

/** A grant that an agent asks for, for itself and nobody else. */
export const proposeGrantBody = z.strictObject({ target: z.literal('grant'), ...grantTerms });
export type ProposeGrantBody = z.infer<typeof proposeGrantBody>;

/** What an agent may ask for; without a target it is a change to the policy. */
export const proposeBody = z.discriminatedUnion('target', [proposeChangeBody, proposeGrantBody]);
export type ProposeBody = z.infer<typeof proposeBody>;

/** What of a refused edit of grants is read, so that it becomes a proposal. Whose grant was meant is passed over: it is the asking agent's. */
export const refusedGrantBody = z.object(grantTerms);

/** What of a refused edit is read, so that it becomes a proposal; anything else about it is passed over. */
export const refusedEditBody = z.object({ text: wellFormed(bounds.bodyBytes).min(1), format: formats.optional(), reason: wellFormed(bounds.reasonText).optional(), session: idSchema('session').optional() });

export const proposalView = z.strictObject({
  id: idSchema('proposal'),
  state: z.enum(proposalStates),
  target: z.enum(['policy', 'grant', 'allowlist']),
  base: z.strictObject({ revision: z.int(), digest: z.string() }).nullable(),
  digest: z.string(),
  proposed_at: z.string(),
  /** What was found out about it; null while it is being proved. */
  proof: z.strictObject({ class: z.string(), applicable: z.boolean(), digest: z.string() }).nullable(),
  signatures: z.int(),
  /** Why it was rejected, in the owner's words. */
  reason: z.string().optional(),
  /** The revision that it became. */
  revision: z.int().optional(),
  replaced_by: idSchema('proposal').optional(),
  /** The grant that it would be, or has become. */
  grant: idSchema('grant').optional(),
  receipt: z.string(),
});
export type ProposalView = z.infer<typeof proposalView>;
