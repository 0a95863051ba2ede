import { z } from 'zod';

import { agentsView } from '@/lib/services/console/views/agents-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const agentsRead = defineRead({
  permission: ['agents.manage', 'roster.view'],
  input: z.strictObject({}),
  handler: async ({ parts }) => ok(await agentsView(parts)),
});

export const readAgents = () => agentsRead.read({});
