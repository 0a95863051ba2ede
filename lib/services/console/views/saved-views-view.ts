import { receiptFilters, type ReceiptFilters } from '@/lib/contracts/console/receipt-filters';
import { mostSavedViews, type SavedViewsView } from '@/lib/contracts/console/saved-views';
import type { PersonId } from '@/lib/shared/ids';

import type { ConsoleParts } from '../console-parts';

/** The views that a person keeps, by name. */
export async function savedViewsView(parts: Pick<ConsoleParts, 'savedViews'>, person: PersonId): Promise<SavedViewsView> {
  const rows = await parts.savedViews.list(person);
  return { views: rows.map(({ id, name, filters }) => ({ id, name, filters: readFilters(filters) })), most: mostSavedViews };
}

function readFilters(text: string): ReceiptFilters | null {
  try {
    const parsed = receiptFilters.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
