import type { KeyHelp } from '@/components/ui/keys-dialog';

export const approvalKeys: readonly KeyHelp[] = [
  { caps: ['J', 'K'], does: 'Next and previous request' },
  { caps: ['Enter'], does: 'Read the selected request' },
  { caps: ['A'], does: 'Open the approval, or go to the first open check' },
  { caps: ['D'], does: 'Open the denial' },
  { caps: ['E'], does: 'Edit what would run' },
  { caps: ['Q'], does: 'Ask back' },
  { caps: ['Ctrl', 'Enter'], does: 'Inside the dialog: sign, deny or ask' },
  { caps: ['N'], does: 'Show what has arrived' },
  { caps: ['/'], does: 'Filter' },
];
