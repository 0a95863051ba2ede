import { z } from 'zod';

import { boundedText, countField, digestField, idField, publicKeyField, timestampField } from '@/lib/shared/document-fields';
import { isNormalEmail } from '@/lib/shared/email';
import { isName } from '@/lib/shared/ids';
import { parseDocument } from '@/lib/shared/parse-document';
import type { Result } from '@/lib/shared/result';

import { roles } from './roles';
import { rosterSchema, vouchingKinds, type Roster } from './roster';

/** Largest roster that is read, in bytes. */
export const maxRosterBytes = 4 * 1024 * 1024;

/** Strict canonical JSON of a roster in which no id, address, key or credential names two things. */
export const parseRoster = (bytes: Uint8Array): Result<Roster> => parseDocument(document, bytes, maxRosterBytes);

const name = z.custom<string>((value) => typeof value === 'string' && isName(value), { error: 'Expected a name.' });
const names = z.array(boundedText(254)).max(10_000);

const person = z
  .strictObject({
    id: idField('person'),
    email: z.custom<string>((value) => typeof value === 'string' && isNormalEmail(value), { error: 'Expected a lower-case e-mail address.' }),
    name: boundedText(200),
    roles: z.array(z.enum(roles)).max(roles.length),
    groups: z.array(name).max(200),
    keys: z.array(publicKeyField).max(20),
    suspended: z.boolean().optional(),
  })
  .transform(({ suspended, ...rest }) => (suspended === undefined ? rest : { ...rest, suspended }));

const scope = z
  .strictObject({ humans: names.optional(), agents: names.optional(), attributes: names.optional() })
  .transform(({ humans, agents, attributes }) => ({
    ...(humans && { humans }),
    ...(agents && { agents }),
    ...(attributes && { attributes }),
  }));

const credential = z.strictObject({
  id: idField('credential'),
  kind: z.enum(vouchingKinds),
  token_digest: digestField,
  scope,
  expires_at: timestampField,
});

const document: z.ZodType<Roster> = z
  .strictObject({
    schema: z.literal(rosterSchema),
    workspace: idField('workspace'),
    version: countField(1),
    previous: digestField.nullable(),
    root_version: countField(1),
    people: z.array(person).max(10_000),
    credentials: z.array(credential).max(10_000),
    created_at: timestampField,
  })
  .superRefine((roster, context) => {
    for (const message of contradictions(roster)) context.addIssue({ code: 'custom', message });
  });

function contradictions(roster: Roster): string[] {
  const found: string[] = [];
  if ((roster.version === 1) !== (roster.previous === null)) found.push('Exactly the first version has no previous one.');
  const unique: readonly (readonly [string, readonly string[]])[] = [
    ['person', roster.people.map(({ id }) => id)],
    ['e-mail address', roster.people.map(({ email }) => email)],
    // A key that two people share would let one of them countersign as both.
    ['key', roster.people.flatMap(({ keys }) => keys.map(({ id }) => id))],
    ['credential', roster.credentials.map(({ id }) => id)],
    ['token', roster.credentials.map(({ token_digest }) => token_digest)],
  ];
  for (const [what, values] of unique) if (new Set(values).size !== values.length) found.push(`A ${what} appears twice.`);
  return found;
}
