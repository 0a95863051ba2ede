import { receiptFilters } from '@/lib/contracts/console/receipt-filters';
import { exportTable } from '@/lib/services/console/export-table';

import { defineRead } from '../define-read';

export const exportTableRead = defineRead({
  permission: 'receipts.export',
  input: receiptFilters,
  handler: ({ parts, viewer }, filters) => exportTable(parts, { kind: 'person', id: viewer.person }, filters),
});
