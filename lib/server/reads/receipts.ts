import { sessionTimelineQuery } from '@/lib/contracts/console/session-timeline';
import { receiptQuery, receiptsQuery, sessionQuery } from '@/lib/contracts/console/receipts';
import { sessionTimeline } from '@/lib/services/console/views/session-timeline';
import { receiptDetail } from '@/lib/services/console/views/receipt-detail';
import { receiptEvidence } from '@/lib/services/console/views/receipt-evidence';
import { receiptsView } from '@/lib/services/console/views/receipts-view';
import { sessionDetail } from '@/lib/services/console/views/session-detail';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const receiptsRead = defineRead({
  permission: 'receipts.view',
  input: receiptsQuery,
  handler: async ({ parts }, query) => ok(await receiptsView(parts, query)),
});

export const receiptRead = defineRead({
  permission: 'receipts.view',
  input: receiptQuery,
  handler: ({ parts }, { id }) => receiptDetail(parts, id),
});

export const receiptEvidenceRead = defineRead({
  permission: 'receipts.view',
  input: receiptQuery,
  handler: ({ parts }, { id }) => receiptEvidence(parts, id),
});

export const sessionRead = defineRead({
  permission: 'receipts.view',
  input: sessionQuery,
  handler: ({ parts }, { id }) => sessionDetail(parts, id),
});

export const sessionTimelineRead = defineRead({
  permission: 'receipts.view',
  input: sessionTimelineQuery,
  handler: ({ parts }, query) => sessionTimeline(parts, query),
});

export const readReceipts = receiptsRead.read;
export const readSession = sessionRead.read;
