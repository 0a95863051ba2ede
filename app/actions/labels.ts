'use server';

import { lowerLabelInput } from '@/lib/contracts/console/labels';
import { defineAction } from '@/lib/server/define-action';
import { lowerLabel as lower } from '@/lib/services/console/lower-label';

export const lowerLabel = defineAction({
  permission: 'labels.lower',
  input: lowerLabelInput,
  handler: ({ parts, viewer }, input) => lower(parts, viewer, input),
});
