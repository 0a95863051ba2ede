'use server';

import { supplyFactInput } from '@/lib/contracts/console/deferrals';
import { defineAction } from '@/lib/server/define-action';
import { supplyFact as supply } from '@/lib/services/console/supply-fact';

export const supplyFact = defineAction({
  permission: 'facts.supply',
  input: supplyFactInput,
  handler: ({ parts, viewer }, input) => supply(parts, viewer, input),
});
