import { z } from 'zod';

import { noticesView } from '@/lib/services/console/views/notices-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const noticesRead = defineRead({
  permission: 'notifications.manage',
  input: z.strictObject({}),
  handler: async ({ parts }) => ok(await noticesView(parts)),
});

export const readNotices = () => noticesRead.read({});
