import { eligibleApprovers } from '@/lib/approvals/eligible-approvers';
import { mayAs } from '@/lib/authority/roles';
import type { RosterPerson } from '@/lib/authority/roster';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import type { NewMessage, Notice } from '@/lib/ports/notice-store';
import { readHeld } from '@/lib/services/console/held-request';
import type { InForce } from '@/lib/services/in-force';

import type { NoticeParts } from './notice-parts';

/**
 * Who is told of a request, and where: of a held one everybody who could approve it by e-mail, webhook and Slack once; of an escalation those who
 * can since then, webhook and Slack; of its end webhook and Slack,
 * where that is asked for. Of a request that has ended meanwhile nobody is told that it waits.
 */
export async function messagesOf(parts: NoticeParts, { approval: id, kind }: Notice): Promise<readonly NewMessage[]> {
  const row = await parts.approvals.find(id);
  if (!row || (kind === 'ended' ? !parts.ends : row.state !== 'pending')) return [];
  const message = { id: `${kind}_${id}`, kind, approval: id };
  const inForce = await parts.inForce.current();
  return parts.notifiers.flatMap(({ channel }): readonly NewMessage[] => {
    if (channel !== 'email') return [{ channel, recipient: null, ...message }];
    return kind === 'ended' ? [] : approversOf(parts, row, kind, inForce).map((person) => ({ channel, recipient: person.id, ...message }));
  });
}

/** By the signed roster. A row that does not hold what it was written with is answered in the console; nobody is written to about it. */
function approversOf(parts: NoticeParts, row: ApprovalRow, kind: Notice['kind'], inForce: InForce): readonly RosterPerson[] {
  const held = readHeld(row, parts.cryptography);
  if (!held.ok) return [];
  const people = (inForce.roster?.roster.people ?? []).filter((person) => canBeTold(person, inForce) && mayAs(person.roles, 'approvals.decide'));
  const before = eligibleApprovers(held.value, people);
  const told = kind === 'held' ? before : eligibleApprovers(held.value, people, row.approvers).filter((person) => !before.includes(person));
  return people.filter(({ id }) => told.some((person) => person.id === id));
}

export const canBeTold = (person: RosterPerson, { suspended }: Pick<InForce, 'suspended'>): boolean => person.suspended !== true && suspended?.has(person.id) !== true;
