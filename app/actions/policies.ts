'use server';

import { applyPolicyInput, preparePolicyInput } from '@/lib/contracts/console/policies';
import { defineAction } from '@/lib/server/define-action';
import { applySignedRevision as apply } from '@/lib/services/proposals/apply-signed-revision';
import { preparePolicy as prepare } from '@/lib/services/console/prepare-policy';

export const preparePolicy = defineAction({
  permission: ['policy.sign', 'policy.draft'],
  input: preparePolicyInput,
  handler: ({ parts }, input) => prepare(parts, input),
});

export const applyPolicy = defineAction({
  permission: 'policy.apply',
  input: applyPolicyInput,
  handler: ({ parts, viewer }, input) => apply(parts, { kind: 'person', id: viewer.person }, input),
});
