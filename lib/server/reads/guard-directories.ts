import { z } from 'zod';

import { guardDirectoriesView } from '@/lib/services/guard-directories/guard-directories-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const guardDirectoriesRead = defineRead({
  permission: 'policy.view',
  input: z.strictObject({}),
  handler: async ({ parts, viewer }) => ok(await guardDirectoriesView(parts, viewer)),
});

export const readGuardDirectories = () => guardDirectoriesRead.read({});
