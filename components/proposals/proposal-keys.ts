import type { KeyHelp } from '@/components/ui/keys-dialog';

export const proposalKeys: readonly KeyHelp[] = [
  { caps: ['J', 'K'], does: 'Next and previous proposal' },
  { caps: ['S'], does: 'Open what you would sign' },
  { caps: ['R'], does: 'Open the rejection' },
  { caps: ['Ctrl', 'Enter'], does: 'Inside the rejection: reject' },
];
