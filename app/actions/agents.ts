'use server';

import { prepareRestorationInput, registerAgentInput, restoreAgentInput, revokeCredentialInput, suspendAgentInput } from '@/lib/contracts/console/agents';
import { defineAction } from '@/lib/server/define-action';
import { registerAgent as register } from '@/lib/services/console/register-agent';
import { prepareRestoration, restoreAgent as restore } from '@/lib/services/console/restore-agent';
import { revokeCredential as revoke } from '@/lib/services/console/revoke-credential';
import { suspendAgent as suspend } from '@/lib/services/console/suspend-agent';

export const registerAgent = defineAction({
  permission: 'agents.manage',
  input: registerAgentInput,
  handler: ({ parts, viewer }, input) => register(parts, viewer.person, input),
});

export const suspendAgent = defineAction({
  permission: 'agents.manage',
  input: suspendAgentInput,
  handler: ({ parts, viewer }, { agent }) => suspend(parts, viewer.person, agent),
});

export const prepareAgentRestoration = defineAction({
  permission: 'agents.restore',
  input: prepareRestorationInput,
  handler: ({ parts }, { agent }) => prepareRestoration(parts, agent),
});

export const restoreAgent = defineAction({
  permission: 'agents.restore',
  input: restoreAgentInput,
  handler: ({ parts, viewer }, input) => restore(parts, viewer.person, input),
});

export const revokeCredential = defineAction({
  permission: 'agents.manage',
  input: revokeCredentialInput,
  handler: ({ parts, viewer }, { credential }) => revoke(parts, viewer.person, credential),
});
