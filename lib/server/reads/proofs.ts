import { proofQuery } from '@/lib/contracts/console/proofs';
import { proofView } from '@/lib/services/proof/proof-view';

import { defineRead } from '../define-read';

export const proofRead = defineRead({
  permission: 'policy.view',
  input: proofQuery,
  handler: ({ parts, viewer }, { id }) => proofView(parts, viewer, id),
});

export const readProof = proofRead.read;
