import type { VerifiedRoster } from '@/lib/authority/roster';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { enrolmentOf } from '@/lib/services/console/read-enrolment';
import type { RosterChange } from '@/lib/contracts/console/roster';
import type { Tx } from '@/lib/ports/transaction';
import { errorCodes } from '@/lib/shared/error-codes';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import type { ChangeFacts } from './next-roster';

/** The rows that a change of the roster names, as they are now. */
export async function changeFacts(parts: ConsoleParts, change: RosterChange, tx?: Tx): Promise<ChangeFacts> {
  if (change.kind === 'add_person') return { enrolment: undefined, person: await parts.people.byId(change.person, tx) };
  if (change.kind !== 'enrol_key') return { enrolment: undefined, person: undefined };
  const row = (await parts.people.enrolments('waiting', tx)).find(({ id }) => id === change.enrolment);
  const read = row && enrolmentOf(row.envelope);
  // A row may say that a key waits which the log says was revoked: it would be listed, and never count.
  const enrolment = read && (await parts.inForce.current()).revokedKeys?.has(read.key.id) !== true ? read : undefined;
  return { enrolment: row && enrolment ? { row, key: enrolment.key } : undefined, person: undefined };
}

/** Root and roster to build on; a process that may not act may not take documents into force either. */
export async function authorityToBuildOn(parts: Pick<ConsoleParts, 'inForce'>): Promise<Result<{ readonly root: TrustRoot; readonly roster: VerifiedRoster }>> {
  const { denied, root, roster, refusal } = await parts.inForce.refresh();
  // Without a policy documents may still be signed: that is how one comes into force.
  if (!root || !roster || (denied !== null && denied !== 'policy_unsigned')) {
    const code = denied ?? 'trust_root_invalid';
    return fail(code, refusal?.detail ?? errorCodes[code].title);
  }
  return ok({ root: root.root, roster });
}

/** Somebody whose key the trust root lists would go on signing rosters without being in one: that is to be changed there first. */
export function stillOwner(root: TrustRoot, change: RosterChange): Result<null> {
  const owns = change.kind === 'remove_person' && root.owners.some(({ person }) => person === change.person);
  return owns ? fail('conflict', 'This person is an owner in the trust root.', { fix: 'Take their keys out of the trust root first.' }) : ok(null);
}
