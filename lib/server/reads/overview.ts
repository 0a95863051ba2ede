import { z } from 'zod';

import { overviewView } from '@/lib/services/console/views/overview-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const overviewRead = defineRead({
  permission: 'overview.view',
  input: z.strictObject({}),
  handler: async ({ viewer, parts }) => ok(await overviewView(parts, viewer)),
});

export const readOverview = () => overviewRead.read({});
