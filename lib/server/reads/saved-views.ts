import { z } from 'zod';

import { savedViewsView } from '@/lib/services/console/views/saved-views-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const savedViewsRead = defineRead({
  permission: 'receipts.view',
  input: z.strictObject({}),
  handler: async ({ parts, viewer }) => ok(await savedViewsView(parts, viewer.person)),
});

export const readSavedViews = () => savedViewsRead.read({});
