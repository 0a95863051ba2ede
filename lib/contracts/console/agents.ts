import { z } from 'zod';

import type { CredentialScope } from '@/lib/authority/roster';

import { envelope, id, name, reason } from './fields';
import type { DocumentToSign } from './set-up';

export const registerAgentInput = z.strictObject({
  agent: name,
  role: name,
  scope: z.array(z.string().min(1).max(200)).max(200).default([]),
  expires_in_days: z.int().min(1).max(366).default(90),
  explain: z.boolean().default(false),
});
export type RegisterAgentInput = z.infer<typeof registerAgentInput>;
/** The token is shown this once. */
export type RegisteredAgent = { readonly agent: string; readonly credential: string; readonly token: string; readonly expires_at: string };

export const suspendAgentInput = z.strictObject({ agent: name });
/** Restoring loosens, so it needs an owner's signature: over the suspension that it ends. */
export const prepareRestorationInput = z.strictObject({ agent: name });
export type PreparedRestoration = { readonly document: DocumentToSign; readonly suspended_at: string };
export const restoreAgentInput = z.strictObject({ agent: name, reason: reason.min(1), envelope: envelope(16 * 1024) });
export type RestoreAgentInput = z.infer<typeof restoreAgentInput>;

export const revokeCredentialInput = z.strictObject({ credential: id('credential') });

export const throwSwitchInput = z
  .strictObject({ scope: z.enum(['all', 'agent', 'tool']), subject: z.string().max(200).default(''), reason: reason.min(1) })
  .refine((input) => (input.scope === 'all') === (input.subject === ''), { error: 'One agent or tool needs its name; all needs none.' });
export type ThrowSwitchInput = z.infer<typeof throwSwitchInput>;

const covers = { scope: z.enum(['all', 'agent', 'tool']), subject: z.string().max(200).default('') };
export const prepareReleaseInput = z.strictObject(covers);
export type PrepareReleaseInput = z.infer<typeof prepareReleaseInput>;
export type PreparedRelease = { readonly document: DocumentToSign; readonly thrown_by: string; readonly thrown_at: string; readonly reason: string };
export const releaseSwitchInput = z.strictObject({ ...covers, reason: reason.min(1), envelope: envelope(16 * 1024) });
export type ReleaseSwitchInput = z.infer<typeof releaseSwitchInput>;

/** A switch that is on: who threw it, when and why; null where only a row tells of it. */
export type SwitchView = { readonly scope: 'all' | 'agent' | 'tool'; readonly subject: string; readonly thrown_by: string; readonly thrown_at: string; readonly reason: string | null };

export type CredentialKind = 'agent' | 'orchestrator' | 'enforcement_point' | 'information_point';

export type CredentialView = {
  readonly id: string;
  readonly kind: CredentialKind;
  readonly subject: string;
  readonly state: 'live' | 'expired' | 'revoked' | 'not_in_roster';
  readonly created_at: string;
  readonly expires_at: string;
  /** Of one that vouches: what the signed roster lists it for. */
  readonly scope?: CredentialScope;
};

export type AgentView = {
  readonly id: string;
  readonly role: string;
  readonly scope: readonly string[];
  readonly registered_by: string;
  readonly created_at: string;
  readonly suspended_at: string | null;
  readonly credentials: readonly CredentialView[];
  readonly last_hour: { readonly decided: number; readonly held: number; readonly denied: number };
};

export type AgentsView = {
  readonly agents: readonly AgentView[];
  readonly vouching: readonly CredentialView[];
  readonly switches: readonly SwitchView[];
};
