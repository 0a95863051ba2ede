import { rosterPayloadType } from '@/lib/authority/roster';
import { rosterBytes } from '@/lib/authority/sign-documents';
import type { PreparedRosterChange, RosterChange } from '@/lib/contracts/console/roster';
import { ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { nextRoster } from './next-roster';
import { toSign } from './prepare-set-up';
import { authorityToBuildOn, changeFacts, stillOwner } from './roster-change-facts';

/** The next roster for an owner to sign. Nothing is stored. Failures: `not_found`, `conflict`, and those of the authority in force. */
export async function prepareRosterChange(parts: ConsoleParts, change: RosterChange, at?: string): Promise<Result<PreparedRosterChange>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root, roster } = authority.value;
  const leaves = stillOwner(root, change);
  if (!leaves.ok) return leaves;
  const facts = await changeFacts(parts, change);
  const next = nextRoster(roster, root.version, change, facts, at ?? (await parts.reads.now()));
  if (!next.ok) return next;
  return ok({
    change,
    roster: toSign({ payload_type: rosterPayloadType, bytes: rosterBytes(next.value) }),
    version: next.value.version,
    enrolment_envelope: facts.enrolment?.row.envelope ?? null,
  });
}
