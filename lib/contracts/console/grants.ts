import { z } from 'zod';

import { jsonField } from '@/lib/ledger/json-field';
import { mostGrantUses } from '@/lib/ledger/predicates/grants';
import type { Json } from '@/lib/shared/json';

import { envelope, id, instant, name, reason } from './fields';
import type { DocumentToSign } from './set-up';

/** Names of tools and operations as catalogues have them. */
const called = z.string().min(1).max(200).refine((text) => text.isWellFormed() && !/\s/u.test(text), { error: 'A name without spaces is needed here.' });

/** `replaces`: the grant that this one narrows and ends. */
export const prepareGrantInput = z.strictObject({
  agent: name,
  tool: called,
  operation: called.nullable(),
  scope: jsonField,
  uses: z.int().min(1).max(mostGrantUses),
  expires_at: instant,
  reason: reason.min(1),
  replaces: id('grant').optional(),
});
export type PrepareGrantInput = z.infer<typeof prepareGrantInput>;
/** Of one that somebody asks for: their reason stays beside it, because owners vouch for what they sign. */
export const prepareGrantProposalInput = prepareGrantInput.omit({ reason: true, replaces: true });
export type PrepareGrantProposalInput = z.infer<typeof prepareGrantProposalInput>;
export type PreparedGrant = { readonly grant: string; readonly document: DocumentToSign; readonly needed_signers: number };

export const signGrantInput = z.strictObject({ envelope: envelope(64 * 1024) });
export type SignGrantInput = z.infer<typeof signGrantInput>;
/** `waiting`: more owners have to sign; until then it gives nothing. */
export type SignedGrantOutcome = { readonly grant: string; readonly state: 'issued' | 'waiting'; readonly signatures: number; readonly needed: number };

export const revokeGrantInput = z.strictObject({ grant: id('grant'), reason: reason.min(1) });
export type RevokeGrantInput = z.infer<typeof revokeGrantInput>;

export type GrantView = {
  readonly id: string;
  readonly agent: string;
  readonly tool: string;
  readonly operation: string | null;
  readonly scope: Json;
  readonly reason: string | null;
  readonly uses: number;
  readonly used: number;
  readonly expires_at: string;
  readonly created_at: string;
  readonly created_by: string;
  /** `unproven`: its row says that it stands, and no signed receipt does. It gives nothing. `waiting`: owners have to sign still. */
  readonly state: 'standing' | 'waiting' | 'used_up' | 'expired' | 'ended' | 'unproven' | 'suspended';
  /** Names of the owners whose signatures verify now. */
  readonly signers: readonly string[];
  /** The exact text that owners sign, and what it is signed as; null when it cannot be read. */
  readonly document: DocumentToSign | null;
};

export type GrantsView = {
  readonly grants: readonly GrantView[];
  readonly needed_signers: number;
  readonly agents: readonly string[];
  /** Operations of the catalogue in force; `needs` is true where the policy asks for a grant. */
  readonly operations: readonly { readonly tool: string; readonly operation: string; readonly parameters: readonly string[]; readonly needs: boolean }[];
};
