import type { PersonId } from '@/lib/shared/ids';

import type { HeldAction } from './held-action';
import { neededQuorum } from './needed-quorum';
import { separationOf } from './separation';
import type { Approver } from './vote';

type Routing = Pick<HeldAction, 'approvers' | 'impact' | 'identity'>;

/** The groups of the rule that somebody belongs to. */
export const routedGroups = (person: Pick<Approver, 'groups'>, groups: readonly string[]): readonly string[] =>
  groups.filter((group) => person.groups.includes(group));

/** An active person of one of the groups that are asked, whatever separation of duties says. */
export const isRouted = (person: Approver | undefined, id: PersonId, asked: readonly string[]): boolean =>
  person !== undefined && person.id === id && person.suspended !== true && routedGroups(person, asked).length > 0;

/** Everybody whose approval could count now. No groups: nobody. `asked`: the groups, where others were asked since. */
export const eligibleApprovers = (held: Routing, people: readonly Approver[], asked = held.approvers.groups): readonly Approver[] =>
  people.filter((person) => person.suspended !== true && routedGroups(person, asked).length > 0 && !separationOf(person, held).barred);

/** False when nobody, or too few, could ever approve: the action is then denied with `no_approver` instead of being held. */
export function quorumIsReachable(held: Routing, people: readonly Approver[]): boolean {
  const eligible = eligibleApprovers(held, people);
  const covered = held.approvers.groups.filter((group) => eligible.some((person) => person.groups.includes(group)));
  return eligible.length >= neededQuorum(held) && (!held.approvers.all_groups || covered.length === held.approvers.groups.length);
}
