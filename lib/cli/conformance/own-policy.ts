import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { JsonObject } from '@/lib/shared/json';

/** The catalogue that policies of this version are read against, made once: its digest takes longer than a case. */
export const ownCatalogue = stockCatalogue(nodeSha256);

/** A case's policy as this product loads it: the cases name no catalogue, because other systems have others. */
export const ownPolicy = (policy: JsonObject): JsonObject => ({
  schema: 'countersign/policy/v1',
  id: 'conformance',
  use: `${ownCatalogue.name}@${String(ownCatalogue.version)} sha256:${ownCatalogue.digest}`,
  ...policy,
});
