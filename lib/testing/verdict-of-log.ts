import { stockCatalogue } from '@/lib/mediate/stock';
import { verifySignature } from '@/lib/server/verify-signature';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import type { Provisioned } from '@/lib/services/provision-workspace';
import { exportBundle } from '@/lib/services/export-bundle';
import { findClassWith } from '@/lib/verify/find-class';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import type { Report } from '@/lib/verify/report';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { valueOf } from './console-fixture';

/** Exports the whole log and checks it as somebody does who knows no more than the root's fingerprint. */
export async function verdictOfLog(parts: ConsoleParts, { fingerprint }: Pick<Provisioned, 'fingerprint'>): Promise<Report> {
  const { bytes } = valueOf(await exportBundle({ ...parts, sha256: nodeSha256 }, { withhold: false, now: new Date().toISOString() }));
  return await verifyBundle(bytes, { sha256: nodeSha256, verifySignature, root: fingerprint, rederive: rederiveWith(nodeSha256, stockCatalogue(nodeSha256)), findClass: findClassWith(nodeSha256, stockCatalogue(nodeSha256)) });
}
