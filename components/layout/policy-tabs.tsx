import { Tabs } from '@/components/ui/tabs';

interface PolicyTabsProps {
  readonly current: 'proposals' | 'revisions';
  readonly proposals: number | undefined;
  readonly mayDraft: boolean;
}

/** What there is of the policy: what is proposed, what is and was in force, and where to write. */
export function PolicyTabs({ current, proposals, mayDraft }: PolicyTabsProps) {
  const tabs = [
    { href: '/policies', label: 'Proposals', count: proposals === 0 ? undefined : proposals, current: current === 'proposals' },
    { href: '/policies?tab=revisions', label: 'Revisions', current: current === 'revisions' },
    ...(mayDraft ? [{ href: '/policies/edit', label: 'Editor' }] : []),
  ];
  return <Tabs label="Policy views" tabs={tabs} />;
}
