'use server';

import { cancelProofInput, proveInput, startShadowInput, stopShadowInput, suggestInput } from '@/lib/contracts/console/proofs';
import { defineAction } from '@/lib/server/define-action';
import { makeSuggestions } from '@/lib/services/proof/suggest/make-suggestions';
import { cancelProof as cancel, requestProof } from '@/lib/services/proof/request-proof';
import { startShadow as start, stopShadow as stop } from '@/lib/services/proof/shadow';

export const proveAgain = defineAction({
  permission: 'policy.draft',
  input: proveInput,
  handler: ({ parts }, { proposal }) => requestProof(parts, proposal),
});

export const cancelProof = defineAction({
  permission: 'policy.draft',
  input: cancelProofInput,
  handler: ({ parts }, { proposal }) => cancel(parts, proposal),
});

export const startShadow = defineAction({
  permission: 'policy.sign',
  input: startShadowInput,
  handler: ({ parts, viewer }, { proposal, days }) => start(parts, viewer.person, proposal, days),
});

export const stopShadow = defineAction({
  permission: 'policy.sign',
  input: stopShadowInput,
  handler: ({ parts }, { proposal }) => stop(parts, proposal),
});

export const suggestRules = defineAction({
  permission: 'policy.sign',
  input: suggestInput,
  handler: ({ parts }) => makeSuggestions(parts),
});
