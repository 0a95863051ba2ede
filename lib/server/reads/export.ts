import { exportQuery } from '@/lib/contracts/console/receipts';
import { exportReceipts } from '@/lib/services/console/export-receipts';

import { defineRead } from '../define-read';

export const exportRead = defineRead({
  permission: 'receipts.export',
  input: exportQuery,
  handler: ({ parts, viewer }, query) => exportReceipts(parts, { kind: 'person', id: viewer.person }, query),
});
