import Link from 'next/link';

export interface Tab {
  readonly href: string;
  readonly label: string;
  readonly count?: number | undefined;
  readonly current?: boolean;
}

/** Views of one list as links, so that each has an address. The rule under them is double: the list below is what they close over. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.href} href={tab.href} aria-current={tab.current === true ? 'page' : undefined}>
          {tab.label}
          {tab.count === undefined ? null : <Count value={tab.count} />}
        </Link>
      ))}
    </nav>
  );
}

/** A small count beside a word. */
export function Count({ value }: { readonly value: number }) {
  return <span className="n">{value.toLocaleString('en')}</span>;
}
