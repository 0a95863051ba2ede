'use server';

import { deleteViewInput, renameViewInput, saveViewInput } from '@/lib/contracts/console/saved-views';
import { defineAction } from '@/lib/server/define-action';
import { deleteView as remove, renameView as rename } from '@/lib/services/console/change-view';
import { saveView as save } from '@/lib/services/console/save-view';

export const saveView = defineAction({
  permission: 'receipts.view',
  input: saveViewInput,
  handler: ({ parts, viewer }, input) => save(parts, viewer.person, input),
});

export const renameView = defineAction({
  permission: 'receipts.view',
  input: renameViewInput,
  handler: ({ parts, viewer }, input) => rename(parts, viewer.person, input),
});

export const deleteView = defineAction({
  permission: 'receipts.view',
  input: deleteViewInput,
  handler: ({ parts, viewer }, { view }) => remove(parts, viewer.person, view),
});
