'use server';

import { throwSwitchInput } from '@/lib/contracts/console/agents';
import { defineAction } from '@/lib/server/define-action';
import { throwSwitch as turnOn } from '@/lib/services/console/throw-switch';

export const throwSwitch = defineAction({
  permission: 'switch.throw',
  input: throwSwitchInput,
  handler: ({ parts, viewer }, input) => turnOn(parts, viewer.person, input),
});
