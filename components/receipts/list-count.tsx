import type { ReceiptFilters } from '@/lib/contracts/console/receipt-filters';
import type { ReceiptsView } from '@/lib/contracts/console/receipts';

import { countWords, shownFilters } from './filter-words';

interface ListCountProps {
  readonly view: Pick<ReceiptsView, 'size' | 'matching'>;
  readonly filters: ReceiptFilters;
  readonly loaded: number;
}

/** How much of what is shown. What nobody counted one by one is said to be about so many. */
export function ListCount({ view: { size, matching }, filters, loaded }: ListCountProps) {
  const all = size.toLocaleString('en');
  if (shownFilters(filters).length === 0) return <span>{loaded.toLocaleString('en')} loaded of {all} in the log</span>;
  if (matching === null) return <span>{all} in the log, filtered</span>;
  return <span>{countWords(matching)} of {all} in the log{filters.text === undefined ? '' : '. Text is looked for in the last 31 days'}</span>;
}
