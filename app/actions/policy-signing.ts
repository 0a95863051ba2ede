'use server';

import { signRequestInput } from '@/lib/contracts/console/signing-requests';
import { defineAction } from '@/lib/server/define-action';
import { signRequest as sign } from '@/lib/services/console/sign-request';

export const signPolicyRequest = defineAction({
  permission: 'policy.sign',
  input: signRequestInput,
  handler: ({ parts, viewer }, input) => sign(parts, viewer.person, input),
});
