'use server';

import { completeRosterChangeInput, mintCredentialInput, prepareRosterChangeInput } from '@/lib/contracts/console/roster';
import { defineAction } from '@/lib/server/define-action';
import { completeRosterChange as complete } from '@/lib/services/console/complete-roster-change';
import { mintCredential as mint } from '@/lib/services/console/mint-credential';
import { prepareRosterChange as prepare } from '@/lib/services/console/prepare-roster-change';

export const prepareRosterChange = defineAction({
  permission: 'roster.sign',
  input: prepareRosterChangeInput,
  handler: ({ parts }, { change, at }) => prepare(parts, change, at),
});

export const completeRosterChange = defineAction({
  permission: 'roster.sign',
  input: completeRosterChangeInput,
  handler: ({ parts, viewer }, input) => complete(parts, viewer.person, input),
});

export const mintCredential = defineAction({
  permission: 'roster.sign',
  input: mintCredentialInput,
  handler: ({ parts }, input) => mint(parts, input),
});
