import type { Envelope } from '@/lib/shared/dsse';
import { normalEmail } from '@/lib/shared/email';
import type { PersonId, SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { parseSuppliedFact } from './parse-supplied-fact';
import { suppliedFactPayloadType, type SuppliedFact } from './supplied-fact';
import { readSigned, verifySignatory, type ListedPerson, type SignatoryContext } from './verify-signatory';

export type SuppliedFactContext = SignatoryContext & {
  readonly session: { readonly id: SessionId; readonly human: string };
  /** Who registered the session's agent; null when that is not known here. */
  readonly registeredBy: PersonId | null;
};

/** As what a person may answer: for the session that is theirs as `requester`, for others as a member of a group. */
export function mayAnswerAs(person: Pick<ListedPerson, 'id' | 'email' | 'groups'>, source: string, human: string, registeredBy: PersonId | null): Result<null> {
  const own = normalEmail(person.email) === normalEmail(human);
  if (source === 'requester') return own ? ok(null) : fail('forbidden', 'Only the person the session is for answers as requester.');
  if (own) return fail('separation_of_duties', 'The session is yours, so you cannot answer for a group.');
  if (person.id === registeredBy) return fail('separation_of_duties', 'You registered this agent, so you cannot answer for a group.');
  if (!person.groups.some((group) => source === `group:${group}`)) return fail('forbidden', `You do not belong to ${source.replace(/^group:/, '')}.`);
  return ok(null);
}

/**
 * Whether a signed fact counts as that source's word. Run when it is supplied, when a process reads the session's entries, and by
 * every verifier. Whether the policy lists the source is the policy's to say. Refusals: those of `verifySignatory`, `forbidden`,
 * `separation_of_duties`, `conflict` (of another session).
 */
export async function verifySuppliedFact(envelope: Envelope, context: SuppliedFactContext): Promise<Result<SuppliedFact>> {
  const read = readSigned(envelope, suppliedFactPayloadType, parseSuppliedFact);
  if (!read.ok) return read;
  const fact = read.value;
  const person = await verifySignatory(envelope, fact.signer, context);
  if (!person.ok) return person;
  if (fact.session !== context.session.id) return fail('conflict', 'The statement is for another session.');
  const may = mayAnswerAs(person.value, fact.source, context.session.human, context.registeredBy);
  return may.ok ? ok(fact) : may;
}
