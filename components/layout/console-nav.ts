import type { NavItem } from '@/components/layout/main-nav';

export interface NavCounts {
  readonly approvals?: number;
  readonly policies?: number;
}

/** The console's main places, with how many things wait in them. */
export function consoleNav(counts: NavCounts): readonly NavItem[] {
  return [
    { href: '/', label: 'Overview', icon: 'overview' },
    { href: '/approvals', label: 'Approvals', icon: 'approvals', count: counts.approvals, also: ['/deferrals'] },
    { href: '/requests', label: 'Requests', icon: 'requests' },
    { href: '/policies', label: 'Policies', icon: 'policies', count: counts.policies, also: ['/proposals', '/grants'] },
    { href: '/receipts', label: 'Receipts', icon: 'receipts', also: ['/sessions'] },
    { href: '/agents', label: 'Agents', icon: 'agent' },
  ];
}
