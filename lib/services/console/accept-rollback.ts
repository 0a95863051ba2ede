import { statementPayload, statementTypes, type RollbackAcceptance, type ServedState } from '@/lib/authority/owner-statements';
import type { Pin } from '@/lib/authority/pins';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Envelope } from '@/lib/shared/dsse';
import { errorCodes } from '@/lib/shared/error-codes';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import { faultOfOwners, holdsDocument } from '@/lib/verify/signed-document';

import type { ConsoleParts } from './console-parts';
import { raiseEpoch } from './raise-epoch';

/** What a pin says was served, as an acceptance names it; undefined for one under which nothing was. */
export const servedOf = ({ root_version, roster_version, policy, log }: Pin): ServedState | undefined => (log ? { root_version, roster_version, policy, log } : undefined);

/** What the database shows now. `rollback_detected` where no owner may accept it: its trust root is another, or an older one. */
export async function foundInstead(parts: Pick<ConsoleParts, 'inForce'>, served: ServedState): Promise<Result<ServedState>> {
  const { found, denied, refusal } = await parts.inForce.refresh();
  if (!found) return fail(denied ?? 'trust_root_invalid', refusal?.detail ?? errorCodes[denied ?? 'trust_root_invalid'].title);
  if (found.root_version < served.root_version) {
    return fail('rollback_detected', `The database has trust root ${String(found.root_version)}, and ${String(served.root_version)} was served: who was an owner then could let themselves in again.`, {
      fix: 'Restore a dump that was taken after the trust root changed.',
    });
  }
  return ok(found);
}

/**
 * An owner takes a database that is behind what one process has served for the one to go on with. The receipt is the next in the log;
 * the process whose pin it names, and no other, goes on from there. Failures: `signature_invalid`, `conflict`, `rollback_detected`.
 */
export async function acceptRollback(parts: ConsoleParts, person: PersonId, acceptance: RollbackAcceptance, envelope: Envelope): Promise<Result<{ readonly position: number }>> {
  const found = await foundInstead(parts, acceptance.served);
  if (!found.ok) return found;
  const { root } = await parts.inForce.current();
  if (canonicalJson(asJson(found.value)) !== canonicalJson(asJson(acceptance.found))) return fail('conflict', 'The database has gone on since this was signed.', { fix: 'Sign again.' });
  const exact = holdsDocument(envelope, statementTypes.rollback_acceptance, (at) => statementPayload('rollback_acceptance', parts.workspace, acceptance, at));
  const fault = exact ? await faultOfOwners(envelope, root?.root, 1, parts.cryptography) : 'The owner signed another acceptance.';
  const named = root?.root.owners.some((owner) => owner.person === person && envelope.signatures.some(({ keyid }) => keyid === owner.key.id));
  if (fault !== undefined || named !== true) return fail('signature_invalid', fault ?? 'The acceptance is not signed by the owner whom it names.');
  const done = await parts.transactor.withHead(async (tx, { now, size }): Promise<Result<{ readonly position: number }>> => {
    if (Number(size) !== acceptance.found.log.size) return fail('conflict', 'The database has gone on since this was signed.', { fix: 'Sign again.' });
    const { served, found: accepted, reason } = acceptance;
    await parts.ledger.append(tx, [await parts.sign('rollback_accepted', now, { served, found: accepted, person, reason, envelope }, { person })]);
    await raiseEpoch(parts, tx);
    return ok({ position: Number(size) });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
