import { z } from 'zod';

import { approvalQuery, queueQuery } from '@/lib/contracts/console/approvals';
import { deferralQuery } from '@/lib/contracts/console/deferrals';
import { approvalDetail } from '@/lib/services/console/views/approval-detail';
import { deferralDetail } from '@/lib/services/console/views/deferral-detail';
import { deferralsView } from '@/lib/services/console/views/deferrals-view';
import { queueView } from '@/lib/services/console/views/queue-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

const seesRequests = ['approvals.view_all', 'approvals.view_routed', 'requests.view_own'] as const;

export const queueRead = defineRead({
  permission: seesRequests,
  input: queueQuery,
  handler: ({ parts, viewer }, query) => queueView(parts, viewer, query),
});

export const approvalRead = defineRead({
  permission: seesRequests,
  input: approvalQuery,
  handler: ({ parts, viewer }, { id }) => approvalDetail(parts, viewer, id),
});

export const deferralsRead = defineRead({
  permission: seesRequests,
  input: z.strictObject({}),
  handler: async ({ parts, viewer }) => ok(await deferralsView(parts, viewer)),
});

export const deferralRead = defineRead({
  permission: seesRequests,
  input: deferralQuery,
  handler: ({ parts, viewer }, { id }) => deferralDetail(parts, viewer, id),
});

export const readQueue = queueRead.read;
export const readApproval = approvalRead.read;
export const readDeferrals = () => deferralsRead.read({});
