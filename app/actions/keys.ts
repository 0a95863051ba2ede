'use server';

import { enrolKeyInput, refuseEnrolmentInput } from '@/lib/contracts/console/keys';
import { defineAction } from '@/lib/server/define-action';
import { enrolKey as enrol } from '@/lib/services/console/enrol-key';
import { refuseEnrolment as refuse } from '@/lib/services/console/refuse-enrolment';

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
