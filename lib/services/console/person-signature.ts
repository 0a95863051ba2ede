import type { SignatoryContext } from '@/lib/approvals/verify-signatory';
import { allowedKeyKinds } from '@/lib/authority/key-kinds';
import { personById } from '@/lib/authority/roster-lookup';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { Tx } from '@/lib/ports/transaction';
import type { InForce } from '@/lib/services/in-force';
import { envelopePayload, type Envelope } from '@/lib/shared/dsse';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Impact } from '@/lib/shared/impact';
import type { KeyId, PersonId } from '@/lib/shared/ids';
import type { KeyKind } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';

import { judgesOf } from './approval-look';
import type { ConsoleParts } from './console-parts';
import { suspendedPeople } from './suspended-people';

/**
 * What a person's statement is judged by now: the roster in force without whom a row suspends, and the kinds of key that the root
 * asks for. Failures: why nothing may be decided at all.
 */
export async function signatoryContext(parts: Pick<ConsoleParts, 'people' | 'cryptography'>, inForce: InForce, viewer: Viewer, impact: Impact, tx?: Tx): Promise<Result<SignatoryContext>> {
  const suspended = await suspendedPeople(parts.people, [viewer.person], tx);
  const judges = judgesOf(inForce, suspended);
  if (!judges.ok) return judges;
  const { root, roster } = judges.value;
  return ok({
    // A statement is sent by the person who signed it: nobody else is looked up.
    person: (id) => {
      const person = id === viewer.person ? personById(roster, id) : undefined;
      return person && (suspended.has(id) ? { ...person, suspended: true } : person);
    },
    keyKinds: allowedKeyKinds(root, impact),
    verify: parts.cryptography.verify,
  });
}

/** Who registered an agent, as far as its row says; a person of the roster or null. */
export function registrantOf({ agents, roster }: InForce, agent: string): PersonId | null {
  const by = agents.get(agent)?.registered_by;
  return roster?.roster.people.find(({ id }) => id === by)?.id ?? null;
}

/** The envelope as receipts hold it, with the digest that the session's step names. */
export function signedStatement(sha256: Sha256, envelope: Envelope, { key, key_kind }: { readonly key: KeyId; readonly key_kind: KeyKind }) {
  const payload = envelopePayload(envelope);
  if (!payload) return fail('signature_invalid', 'The envelope’s payload cannot be read.');
  return ok({ digest: digestOf(sha256, payload), envelope, key: { id: key, kind: key_kind } });
}
