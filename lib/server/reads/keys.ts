import { z } from 'zod';

import { enrolmentsView, ownKeysView } from '@/lib/services/console/views/keys-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const ownKeysRead = defineRead({
  permission: 'key.enrol_own',
  input: z.strictObject({}),
  handler: async ({ parts, viewer }) => ok(await ownKeysView(parts, viewer)),
});

export const enrolmentsRead = defineRead({
  permission: 'roster.sign',
  input: z.strictObject({}),
  handler: async ({ parts }) => ok(await enrolmentsView(parts)),
});

export const readOwnKeys = () => ownKeysRead.read({});
export const readEnrolments = () => enrolmentsRead.read({});
