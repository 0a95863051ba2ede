'use server';

import { enrolKeyInput, refuseEnrolmentInput, renameKeyInput, revokeKeyInput } from '@/lib/contracts/console/keys';
import { defineAction } from '@/lib/server/define-action';
import { enrolKey as enrol } from '@/lib/services/console/enrol-key';
import { refuseEnrolment as refuse } from '@/lib/services/console/refuse-enrolment';
import { renameKey as rename } from '@/lib/services/console/rename-key';
import { revokeKey as revoke } from '@/lib/services/console/revoke-key';

export const enrolKey = defineAction({
  permission: 'key.enrol_own',
  input: enrolKeyInput,
  handler: ({ parts, viewer }, input) => enrol(parts, viewer, input),
});

export const refuseEnrolment = defineAction({
  permission: 'roster.sign',
  input: refuseEnrolmentInput,
  handler: ({ parts }, { enrolment }) => refuse(parts, enrolment),
});

export const renameKey = defineAction({
  permission: 'key.enrol_own',
  input: renameKeyInput,
  handler: ({ parts, viewer }, input) => rename(parts, viewer, input),
});

export const revokeKey = defineAction({
  permission: 'key.enrol_own',
  input: revokeKeyInput,
  handler: ({ parts, viewer }, input) => revoke(parts, viewer, input),
});
