import type { RosterChange } from '@/lib/contracts/console/roster';

/** What a change of the roster does, in one line. */
export function rosterChangeWords(change: RosterChange, nameOf: (person: string) => string): string {
  switch (change.kind) {
    case 'enrol_key':
      return `Enrol the key ${change.enrolment.slice(0, 8)}`;
    case 'add_person':
      return `Add ${nameOf(change.person)} as ${change.roles.join(', ') || 'nobody yet'}`;
    case 'set_person':
      return `Make ${nameOf(change.person)} ${change.roles.join(', ') || 'somebody without a role'}${change.groups.length === 0 ? '' : ` in ${change.groups.join(', ')}`}`;
    case 'remove_person':
      return `Take ${nameOf(change.person)} out of the roster`;
    case 'restore_person':
      return `Let ${nameOf(change.person)} back in`;
    case 'remove_key':
      return `Remove a key of ${nameOf(change.person)}`;
    case 'add_credential':
      return `Vouch for ${change.subject} (${change.credential_kind.replaceAll('_', ' ')})`;
    case 'remove_credential':
      return `Take a credential out: ${change.credential}`;
  }
}
