import { z } from 'zod';

import { trustView } from '@/lib/services/console/views/trust-view';

import { defineRead } from '../define-read';

export const trustRead = defineRead({
  permission: ['roster.view', 'trust_root.sign'],
  input: z.strictObject({}),
  handler: ({ parts }) => trustView(parts),
});

export const readTrust = () => trustRead.read({});
