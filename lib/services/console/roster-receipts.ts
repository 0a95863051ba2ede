import type { VerifiedRoster } from '@/lib/authority/roster';
import type { RosterChange } from '@/lib/contracts/console/roster';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { keyId, type KeyId, type PersonId } from '@/lib/shared/ids';

import type { ConsoleParts } from './console-parts';
import type { ChangeFacts } from './next-roster';

/** The roster's own receipt, and one for the key, person or credential that it is about. */
export async function rosterReceipts(
  { sign }: Pick<ConsoleParts, 'sign'>,
  { by: person, change, before, after, signers, facts, at }: {
    readonly by: PersonId;
    readonly change: RosterChange;
    readonly before: VerifiedRoster;
    readonly after: VerifiedRoster;
    /** Owner keys whose signatures were checked. */
    readonly signers: readonly KeyId[];
    readonly facts: ChangeFacts;
    readonly at: string;
  },
): Promise<readonly SignedReceipt[]> {
  const by = { kind: 'person', id: person } as const;
  const { version } = after.roster;
  const changed = await sign('roster_changed', at, { version, digest: after.digest, previous_digest: before.digest, signers }, { person });
  if (change.kind === 'enrol_key' && facts.enrolment) {
    const { row, key } = facts.enrolment;
    return [changed, await sign('key_enrolled', at, { person: row.person, key, roster_version: version }, { person: row.person })];
  }
  if (change.kind === 'add_person') {
    return [changed, await sign('user_administered', at, { person: change.person, change: 'joined', by }, { person: change.person })];
  }
  if (change.kind === 'set_person') {
    return [changed, await sign('user_administered', at, { person: change.person, change: 'roles_changed', by, roster_version: version }, { person: change.person })];
  }
  if (change.kind === 'remove_person' || change.kind === 'restore_person') {
    const what = change.kind === 'remove_person' ? 'removed' : 'restored';
    return [changed, await sign('user_administered', at, { person: change.person, change: what, by, roster_version: version }, { person: change.person })];
  }
  if (change.kind === 'remove_key') {
    return [changed, await sign('key_removed', at, { person: change.person, key: keyId(change.key), cause: 'not_stated', roster_version: version, by }, { person: change.person })];
  }
  if (change.kind === 'add_credential') {
    const { credential, credential_kind: kind, subject } = change;
    return [changed, await sign('credential_administered', at, { credential, kind, subject, change: 'created', by }, { person })];
  }
  if (change.kind === 'remove_credential') {
    const gone = before.roster.credentials.find(({ id }) => id === change.credential);
    if (gone) return [changed, await sign('credential_administered', at, { credential: gone.id, kind: gone.kind, subject: gone.id, change: 'revoked', by }, { person })];
  }
  return [changed];
}
