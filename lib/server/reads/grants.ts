import { z } from 'zod';

import { grantsView } from '@/lib/services/grants/grants-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const grantsRead = defineRead({
  permission: 'policy.view',
  input: z.strictObject({}),
  handler: async ({ parts }) => ok(await grantsView(parts)),
});

export const readGrants = () => grantsRead.read({});
