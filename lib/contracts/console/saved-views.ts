import { z } from 'zod';

import type { ViewId } from '@/lib/shared/ids';

import { id, personName } from './fields';
import { receiptFilters, type ReceiptFilters } from './receipt-filters';

/** Of one person. Enough to work with, and few enough to be one menu. */
export const mostSavedViews = 40;

const viewName = personName.max(60, { error: 'At most 60 characters.' });

export const saveViewInput = z.strictObject({
  name: viewName,
  filters: receiptFilters.refine((filters) => Object.values(filters).some((value) => value !== undefined), { error: 'Nothing is filtered: that is every receipt.' }),
});
export type SaveViewInput = z.infer<typeof saveViewInput>;

export const renameViewInput = z.strictObject({ view: id('view'), name: viewName });
export type RenameViewInput = z.infer<typeof renameViewInput>;

export const deleteViewInput = z.strictObject({ view: id('view') });

/** `filters` null: they were saved by a version that filtered by something this one does not know. */
export type SavedView = { readonly id: ViewId; readonly name: string; readonly filters: ReceiptFilters | null };
export type SavedViewsView = { readonly views: readonly SavedView[]; readonly most: number };
