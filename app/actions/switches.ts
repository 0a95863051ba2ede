'use server';

import { prepareReleaseInput, releaseSwitchInput, throwSwitchInput } from '@/lib/contracts/console/agents';
import { defineAction } from '@/lib/server/define-action';
import { prepareRelease, releaseSwitch as turnOff } from '@/lib/services/console/release-switch';
import { throwSwitch as turnOn } from '@/lib/services/console/throw-switch';

export const throwSwitch = defineAction({
  permission: 'switch.throw',
  input: throwSwitchInput,
  handler: ({ parts, viewer }, input) => turnOn(parts, viewer.person, input),
});

export const prepareSwitchRelease = defineAction({
  permission: 'switch.release',
  input: prepareReleaseInput,
  handler: ({ parts }, input) => prepareRelease(parts, input),
});

export const releaseSwitch = defineAction({
  permission: 'switch.release',
  input: releaseSwitchInput,
  handler: ({ parts, viewer }, input) => turnOff(parts, viewer.person, input),
});
