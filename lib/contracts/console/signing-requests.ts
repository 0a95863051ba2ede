import { z } from 'zod';

import { bounds } from '@/lib/shared/bounds';

import { envelope, linkToken } from './fields';
import type { PolicyFormat } from './policies';
import type { DocumentToSign } from './set-up';

export const signingLinkQuery = z.strictObject({ link: linkToken });

/** `statement` where the text gets a place too: the same owner signs both. */
export const signRequestInput = z.strictObject({ link: linkToken, signature: envelope(2 * bounds.policyBytes), statement: envelope(64 * 1024).nullable() });
export type SignRequestInput = z.infer<typeof signRequestInput>;

/** What a command asks owners to sign: the exact text and, where it is to come into force, its place. */
export type SigningRequestView = {
  readonly purpose: 'sign' | 'apply' | 'rollback';
  readonly name: string;
  readonly text: string;
  readonly format: PolicyFormat;
  readonly digest: string;
  readonly restores: number | null;
  readonly reason: string | null;
  readonly policy: DocumentToSign;
  readonly place: DocumentToSign | null;
  readonly in_force: { readonly revision: number; readonly text: string } | null;
  /** Names of the owners who have signed here already. */
  readonly signers: readonly string[];
  readonly expires_at: string;
};

/** `signed`: the command goes on with the signature. `in_force`: applied. `waiting`: more owners have to sign, with the same link. */
export type SignedRequest = { readonly state: 'signed' | 'waiting' } | { readonly state: 'in_force'; readonly revision: number };
