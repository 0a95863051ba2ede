import { z } from 'zod';

import { overviewView } from '@/lib/services/console/views/overview-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const overviewRead = defineRead({
  permission: 'overview.view',
  input: z.strictObject({}),
  handler: async ({ parts }) => ok(await overviewView(parts)),
});

export const readOverview = () => overviewRead.read({});
