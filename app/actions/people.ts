'use server';

import { changePasswordInput, invitePersonInput, suspendPersonInput } from '@/lib/contracts/console/people';
import { defineAction } from '@/lib/server/define-action';
import { changePassword as change } from '@/lib/services/console/change-password';
import { invitePerson as invite } from '@/lib/services/console/invite-person';
import { suspendPerson as suspend } from '@/lib/services/console/suspend-person';

export const invitePerson = defineAction({
  permission: 'people.invite',
  input: invitePersonInput,
  handler: ({ parts, viewer }, input) => invite(parts, viewer.person, input),
});

export const suspendPerson = defineAction({
  permission: 'people.suspend',
  input: suspendPersonInput,
  handler: ({ parts, viewer }, { person }) => suspend(parts, viewer.person, person),
});

/** Everybody who can sign in may change their own password; the roles that have no permission at all are nobody's. */
export const changePassword = defineAction({
  permission: 'overview.view',
  input: changePasswordInput,
  handler: ({ parts, viewer }, input) => change(parts, viewer.person, input),
});
