'use server';

import { testNoticeInput } from '@/lib/contracts/console/notices';
import { defineAction } from '@/lib/server/define-action';
import { sendTestNotice as send } from '@/lib/services/console/send-test-notice';

export const sendTestNotice = defineAction({
  permission: 'notifications.manage',
  input: testNoticeInput,
  handler: ({ parts, viewer }, { channel }) => send(parts, viewer, channel),
});
