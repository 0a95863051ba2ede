import { z } from 'zod';

import { peopleView } from '@/lib/services/console/views/people-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const peopleRead = defineRead({
  permission: 'roster.view',
  input: z.strictObject({}),
  handler: async ({ parts }) => ok(await peopleView(parts)),
});

export const readPeople = () => peopleRead.read({});
