import { sessionLabelsQuery } from '@/lib/contracts/console/labels';
import { sessionLabelsView } from '@/lib/services/console/views/session-labels-view';

import { defineRead } from '../define-read';

export const sessionLabelsRead = defineRead({
  permission: 'receipts.view',
  input: sessionLabelsQuery,
  handler: ({ parts, viewer }, { id }) => sessionLabelsView(parts, viewer, id),
});

export const readSessionLabels = sessionLabelsRead.read;
