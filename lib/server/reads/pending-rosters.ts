import { z } from 'zod';

import { pendingRosters } from '@/lib/services/console/views/pending-rosters';

import { defineRead } from '../define-read';

export const pendingRostersRead = defineRead({ permission: 'roster.sign', input: z.strictObject({}), handler: ({ parts }) => pendingRosters(parts) });
