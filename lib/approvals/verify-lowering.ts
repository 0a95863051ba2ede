import { normalEmail } from '@/lib/shared/email';
import type { Envelope } from '@/lib/shared/dsse';
import type { Digest, PersonId, SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { loweringPayloadType, type LoweringStatement } from './lowering';
import { parseLowering } from './parse-lowering';
import { readSigned, verifySignatory, type SignatoryContext } from './verify-signatory';

export type LoweringContext = SignatoryContext & {
  /** Whose session it is, and where its chain stands: what the statement has to rest on. `human` as the opening states it. */
  readonly session: { readonly id: SessionId; readonly human: string; readonly head: Digest; readonly seq: number };
  /** Who registered the session's agent; null when that is not known here. */
  readonly registeredBy: PersonId | null;
};

/** The one role that lowers: it loosens every later decision of the session, whoever those are routed to. */
export const loweringRole = 'owner';

/**
 * Whether a signed lowering counts. Run when it is made, when a process reads the session's entries, and by every verifier.
 * Refusals: those of `verifySignatory` and `forbidden` (no owner), `separation_of_duties` (the person the session is for, or who
 * registered its agent), `conflict` (of another session, or the session has gone on).
 */
export async function verifyLowering(envelope: Envelope, context: LoweringContext): Promise<Result<LoweringStatement>> {
  const read = readSigned(envelope, loweringPayloadType, parseLowering);
  if (!read.ok) return read;
  const statement = read.value;
  const person = await verifySignatory(envelope, statement.signer, context);
  if (!person.ok) return person;
  const { session, registeredBy } = context;
  if (!person.value.roles.includes(loweringRole)) return fail('forbidden', 'Only an owner lowers a label.');
  if (normalEmail(person.value.email) === normalEmail(session.human)) return fail('separation_of_duties', 'The session is yours, so you cannot lower its labels.');
  if (person.value.id === registeredBy) return fail('separation_of_duties', 'You registered this agent, so you cannot lower labels of its sessions.');
  if (statement.session !== session.id) return fail('conflict', 'The statement is for another session.');
  if (statement.context.head !== session.head || statement.context.seq !== session.seq) {
    return fail('conflict', 'The session has gone on since it was signed.', { fix: 'Look at it as it is now, and sign that.' });
  }
  return ok(statement);
}
