import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/pane-states';
import type { ReceiptFilters } from '@/lib/contracts/console/receipt-filters';

import { filterSentence, shownFilters } from './filter-words';

interface NoReceiptsProps {
  readonly filters: ReceiptFilters;
  /** Of the whole log. */
  readonly size: number;
  readonly onClear: () => void;
  readonly onWithout: (name: keyof ReceiptFilters) => void;
}

/** Nothing to list: because the log is empty, or because of which filter, and how many it hides. */
export function NoReceipts({ filters, size, onClear, onWithout }: NoReceiptsProps) {
  const shown = shownFilters(filters);
  if (shown.length === 0) return <EmptyState title="The log is empty.">The first receipt is written when the first owner signs the trust root.</EmptyState>;
  const [first] = shown;
  const hides = shown.length === 1 && first ? `The filter “${first.label} ${first.value}” hides` : `${shown.length} filters together hide`;
  return (
    <EmptyState
      title={<>No receipt matches {filterSentence(filters)}.</>}
      action={(
        <p className="flex flex-wrap justify-center gap-3">
          <Button small kind="primary" onClick={onClear}>Show every receipt</Button>
          {shown.length < 2 ? null : shown.map(({ name, label, value }) => <Button key={name} small onClick={() => onWithout(name)}>Without {label} {value}</Button>)}
        </p>
      )}
    >
      {hides} {size === 1 ? 'the one receipt' : `all ${size.toLocaleString('en')} receipts`} of the log.
      {filters.text === undefined ? null : ' Text is looked for in ids, names and operations of the last 31 days.'}
    </EmptyState>
  );
}
