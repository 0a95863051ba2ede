import { Button } from '@/components/ui/button';

import type { Older } from './use-receipt-rows';

/** What stands below the last row loaded: more come as one scrolls, or by this button. */
export function OlderReceipts({ older }: { readonly older: Older }) {
  if (!older.more && older.fault === null) return <p className="meta list-end">There is nothing older.</p>;
  return (
    <div className="flex items-center gap-3 list-end">
      <Button small onClick={older.again} {...(older.loading ? { offBecause: 'Reading' } : {})}>{older.fault === null ? 'Older' : 'Read older ones again'}</Button>
      <span className="meta" role="status">{older.fault === null ? (older.loading ? 'Older receipts are being read.' : '') : `${older.fault.detail} (${older.fault.code})`}</span>
    </div>
  );
}
