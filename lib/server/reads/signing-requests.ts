import { signingLinkQuery } from '@/lib/contracts/console/signing-requests';
import { signingRequestView } from '@/lib/services/console/signing-request';

import { defineRead } from '../define-read';

const signingRequestRead = defineRead({
  permission: 'policy.sign',
  input: signingLinkQuery,
  handler: ({ parts }, { link }) => signingRequestView(parts, link),
});

export const readSigningRequest = signingRequestRead.read;
