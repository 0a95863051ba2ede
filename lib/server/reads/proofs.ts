import { proofQuery, suggestInput } from '@/lib/contracts/console/proofs';
import { proofView } from '@/lib/services/proof/proof-view';
import { suggestionsView } from '@/lib/services/proof/suggest/make-suggestions';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const proofRead = defineRead({
  permission: 'policy.view',
  input: proofQuery,
  handler: ({ parts, viewer }, { id }) => proofView(parts, viewer, id),
});

export const readProof = proofRead.read;

export const suggestionsRead = defineRead({
  permission: 'policy.sign',
  input: suggestInput,
  handler: async ({ parts }) => ok(await suggestionsView(parts)),
});
