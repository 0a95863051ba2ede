import { Icon } from '@/components/ui/icon';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { noFilters, type ReceiptsUrlState } from '@/lib/client/receipts-url';
import type { ReceiptFilters } from '@/lib/contracts/console/receipt-filters';

import { shownFilters } from './filter-words';

/** What is filtered by, each with a way out. */
export function FilterChips({ filters, onChange }: { readonly filters: ReceiptFilters; readonly onChange: (part: Partial<ReceiptsUrlState>) => void }) {
  const shown = shownFilters(filters);
  if (shown.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters that are on">
      {shown.map(({ name, label, value }) => (
        <li key={name}>
          <button type="button" className="chip-off" title={value} onClick={() => onChange({ [name]: null })}>
            <span className="vh">Remove the filter </span><span className="t3">{label}</span> <b><UntrustedText text={value} /></b><Icon name="close" small />
          </button>
        </li>
      ))}
      {shown.length === 1 ? null : <li><button type="button" className="link" onClick={() => onChange(noFilters)}>Clear all</button></li>}
    </ul>
  );
}
