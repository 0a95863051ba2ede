'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { Icon, type IconName } from '@/components/ui/icon';
import { Count } from '@/components/ui/tabs';

export interface NavItem {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  /** Left out while unknown; a zero is not shown. */
  readonly count?: number | undefined;
  /** Other paths that belong to this item: deferrals to Approvals, say. */
  readonly also?: readonly string[];
}

/** The main navigation: words in the top bar, tabs at the bottom edge of a phone. */
export function MainNav({ items }: { readonly items: readonly NavItem[] }) {
  const pathname = usePathname();
  return (
    <nav className="nav" aria-label="Main">
      {items.map((item) => (
        <Link key={item.href} href={item.href} aria-current={isCurrent(item, pathname) ? 'page' : undefined}>
          <Icon name={item.icon} className="nav-i" />
          <span>{item.label}</span>
          {item.count === undefined || item.count === 0 ? null : <Count value={item.count} />}
        </Link>
      ))}
    </nav>
  );
}

function isCurrent(item: NavItem, pathname: string): boolean {
  return [item.href, ...(item.also ?? [])].some((path) => (path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`)));
}
