import { z } from 'zod';

import { email, envelope, linkToken, password, personName, publicKey } from './fields';

export const setUpModes = ['solo', 'team'] as const;
export type SetUpMode = (typeof setUpModes)[number];

const who = {
  link: linkToken,
  name: personName,
  email,
  /** "Just me" switches separation of duties off in the starter policy; critical impact keeps it. */
  mode: z.enum(setUpModes),
};

export const prepareSetUpInput = z.strictObject({ ...who, owner_key: publicKey, recovery_key: publicKey });
export type PrepareSetUpInput = z.infer<typeof prepareSetUpInput>;

/** One document to sign with the owner's key, in a DSSE envelope of exactly this payload type over exactly these bytes (UTF-8). */
export type DocumentToSign = { readonly payload_type: string; readonly text: string };

export type SetUpDocuments = {
  readonly trust_root: DocumentToSign;
  readonly roster: DocumentToSign;
  readonly policy: DocumentToSign;
  readonly policy_revision: DocumentToSign;
  /** SHA-256 of the trust root: what other processes and auditors pin. */
  readonly fingerprint: string;
};

/** Envelopes over the prepared documents, each signed by the owner's key. */
export const completeSetUpInput = z.strictObject({
  ...who,
  password,
  trust_root: envelope(),
  roster: envelope(),
  policy: envelope(2 * 256 * 1024),
  policy_revision: envelope(),
});
export type CompleteSetUpInput = z.infer<typeof completeSetUpInput>;

export type SetUpDone = { readonly person: string; readonly fingerprint: string };

/** What the set-up page may know before anybody signed in. */
export type SetUpState = { readonly state: 'open' } | { readonly state: 'done' } | { readonly state: 'link_invalid' };
