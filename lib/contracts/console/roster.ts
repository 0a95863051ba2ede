import { z } from 'zod';

import { roles } from '@/lib/authority/roles';
import { vouchingKinds } from '@/lib/authority/roster';
import { digestField } from '@/lib/shared/document-fields';

import { envelope, id, instant, name } from './fields';
import type { DocumentToSign } from './set-up';

const names = z.array(z.string().min(1).max(254)).max(200);
const roleList = z.array(z.enum(roles)).max(roles.length);
const groupList = z.array(name).max(200);

/**
 * One change of the roster. The server computes the next roster from it and from nothing else, an owner signs exactly that
 * text, and the server computes it again before it counts.
 */
export const rosterChange = z.discriminatedUnion('kind', [
  /** The waiting enrolment's key enters. `countersigned` is its envelope with the owner's signature added. */
  z.strictObject({ kind: z.literal('enrol_key'), enrolment: z.string().min(1).max(64) }),
  z.strictObject({ kind: z.literal('add_person'), person: id('person'), roles: roleList, groups: groupList }),
  z.strictObject({ kind: z.literal('set_person'), person: id('person'), roles: roleList, groups: groupList }),
  /** A person's row goes on; whoever is an owner in the trust root leaves that first. */
  z.strictObject({ kind: z.literal('remove_person'), person: id('person') }),
  /** Suspending needs no signature, and is undone only by one. */
  z.strictObject({ kind: z.literal('restore_person'), person: id('person') }),
  z.strictObject({ kind: z.literal('remove_key'), person: id('person'), key: digestField }),
  z.strictObject({
    kind: z.literal('add_credential'),
    credential: id('credential'),
    credential_kind: z.enum(vouchingKinds),
    subject: name,
    token_digest: digestField,
    scope: z.strictObject({ humans: names.optional(), agents: names.optional(), attributes: names.optional() }),
    expires_at: instant,
  }),
  z.strictObject({ kind: z.literal('remove_credential'), credential: id('credential') }),
]);
export type RosterChange = z.infer<typeof rosterChange>;

/** `at`: of a change that waits, so that the same roster comes out. */
export const prepareRosterChangeInput = z.strictObject({ change: rosterChange, at: instant.optional() });
export type PrepareRosterChangeInput = z.infer<typeof prepareRosterChangeInput>;

export type PreparedRosterChange = {
  readonly change: RosterChange;
  readonly roster: DocumentToSign;
  readonly version: number;
  /** For `enrol_key`: the enrolment's envelope, to which the owner adds a signature. */
  readonly enrolment_envelope: string | null;
};

export const completeRosterChangeInput = z.strictObject({
  change: rosterChange,
  roster: envelope(8 * 1024 * 1024),
  /** For `enrol_key`: the enrolment with the owner's signature added. */
  countersigned: envelope(16 * 1024).optional(),
});
export type CompleteRosterChangeInput = z.infer<typeof completeRosterChangeInput>;

export type RosterChangeOutcome =
  | { readonly state: 'in_force'; readonly version: number }
  | { readonly state: 'waiting'; readonly version: number; readonly signed: number; readonly needed: number };

/** A change of the roster that has some of the signatures it needs. */
export type PendingRosterChange = {
  readonly digest: string;
  readonly change: RosterChange;
  readonly at: string;
  readonly version: number;
  readonly signed: readonly string[];
  readonly needed: number;
  readonly started_by: string;
};

/** A fresh token for a vouching credential; it counts only once the roster that lists its digest is signed. */
export const mintCredentialInput = z.strictObject({
  credential_kind: z.enum(vouchingKinds),
  subject: name,
  scope: z.strictObject({ humans: names.optional(), agents: names.optional(), attributes: names.optional() }),
  expires_in_days: z.int().min(1).max(366),
});
export type MintCredentialInput = z.infer<typeof mintCredentialInput>;
export type MintedCredential = { readonly token: string; readonly change: RosterChange };
