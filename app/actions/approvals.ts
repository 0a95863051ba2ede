'use server';

import { approveInput, askBackInput, denyInput, editInput, extendInput, withdrawInput } from '@/lib/contracts/console/approvals';
import { defineAction } from '@/lib/server/define-action';
import { approveRequest } from '@/lib/services/console/approve-request';
import { askBack as ask } from '@/lib/services/console/ask-back';
import { denyRequest } from '@/lib/services/console/deny-request';
import { editRequest } from '@/lib/services/console/edit-request';
import { extendRequest } from '@/lib/services/console/extend-request';
import { withdrawOwnAction } from '@/lib/services/console/withdraw-action';

export const approve = defineAction({
  permission: 'approvals.decide',
  input: approveInput,
  handler: ({ parts, viewer }, input) => approveRequest(parts, viewer, input),
});

export const extend = defineAction({
  permission: 'approvals.decide',
  input: extendInput,
  handler: ({ parts, viewer }, input) => extendRequest(parts, viewer, input),
});

export const deny = defineAction({
  permission: 'approvals.decide',
  input: denyInput,
  handler: ({ parts, viewer }, input) => denyRequest(parts, viewer, input),
});

export const askBack = defineAction({
  permission: 'approvals.decide',
  input: askBackInput,
  handler: ({ parts, viewer }, input) => ask(parts, viewer, input),
});

export const edit = defineAction({
  permission: 'approvals.decide',
  input: editInput,
  handler: ({ parts, viewer }, input) => editRequest(parts, viewer, input),
});

export const withdraw = defineAction({
  permission: 'requests.withdraw_own',
  input: withdrawInput,
  handler: ({ parts, viewer }, { action }) => withdrawOwnAction(parts, viewer, action),
});
