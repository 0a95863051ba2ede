import { z } from 'zod';

import { gapsQuery, reconciliationQuery } from '@/lib/contracts/console/reconciliation';
import { gapsView } from '@/lib/services/console/views/gaps-view';
import { reconciliationCounts, reconciliationView } from '@/lib/services/console/views/reconciliation-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const reconciliationRead = defineRead({
  permission: 'receipts.view',
  input: reconciliationQuery,
  handler: ({ parts }, query) => reconciliationView(parts, query),
});

export const reconciliationCountsRead = defineRead({
  permission: 'receipts.view',
  input: z.strictObject({}),
  handler: async ({ parts }) => ok(await reconciliationCounts(parts)),
});

export const gapsRead = defineRead({
  permission: 'receipts.view',
  input: gapsQuery,
  handler: ({ parts }, { from }) => gapsView(parts, from),
});

export const readReconciliationCounts = () => reconciliationCountsRead.read({});
