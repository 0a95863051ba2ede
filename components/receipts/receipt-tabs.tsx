import { Tabs } from '@/components/ui/tabs';

/** The log, and what should have come and did not. */
export const ReceiptTabs = ({ current }: { readonly current: 'receipts' | 'reconciliation' }) => (
  <Tabs
    label="Receipts"
    tabs={[
      { href: '/receipts', label: 'All receipts', current: current === 'receipts' },
      { href: '/receipts/reconciliation', label: 'Reconciliation', current: current === 'reconciliation' },
    ]}
  />
);
