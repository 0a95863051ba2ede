import type { ReactNode, Ref } from 'react';

interface DrawerLayoutProps {
  readonly title: string;
  /** How much of what is shown: "Showing 7,975 of 41,882 from the last 7 days." */
  readonly aside?: ReactNode;
  readonly tabs?: ReactNode;
  readonly filters?: ReactNode;
  /** Names the scrolling region. */
  readonly label: string;
  readonly listRef?: Ref<HTMLDivElement>;
  /** The table. */
  readonly children: ReactNode;
  /** A `Drawer`, when a row is selected. */
  readonly drawer?: ReactNode;
}

/** A table that fills the page and the selected record beside it. */
export function DrawerLayout({ title, aside, tabs, filters, label, listRef, children, drawer }: DrawerLayoutProps) {
  return (
    <main className="audit" id="content" tabIndex={-1} data-drawer={drawer === undefined || drawer === null ? 'closed' : 'open'}>
      <header className="audit-h">
        <div className="queue-line"><h1>{title}</h1>{aside === undefined ? null : <span className="meta">{aside}</span>}</div>
        {tabs}
        {filters === undefined ? null : <div className="filters">{filters}</div>}
      </header>
      <div className="ledger-wrap" ref={listRef} role="group" tabIndex={0} aria-label={label}>{children}</div>
      {drawer}
    </main>
  );
}

interface DrawerProps {
  readonly titleId: string;
  readonly title: ReactNode;
  readonly tags?: ReactNode;
  readonly summary?: ReactNode;
  /** A link that closes it. */
  readonly close?: ReactNode;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

/** One record in full. */
export function Drawer({ titleId, title, tags, summary, close, children, foot }: DrawerProps) {
  return (
    <aside className="drawer" aria-labelledby={titleId}>
      <header className="drawer-h">
        {tags === undefined && close === undefined ? null : <div className="item-tags">{tags}{close}</div>}
        <h2 id={titleId} tabIndex={-1}>{title}</h2>
        {summary === undefined ? null : <p className="t2">{summary}</p>}
      </header>
      <div className="drawer-b" role="group" tabIndex={0} aria-label="Detail">{children}</div>
      {foot === undefined ? null : <footer className="drawer-f">{foot}</footer>}
    </aside>
  );
}
