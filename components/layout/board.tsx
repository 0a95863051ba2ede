import type { ReactNode } from 'react';

interface BoardProps {
  /** One sentence from measured facts. */
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** The overview: a sentence, key figures and panels on twelve columns. */
export function Board({ title, aside, children }: BoardProps) {
  return (
    <main className="board" id="content" tabIndex={-1}>
      <header className="posture"><h1>{title}</h1>{aside === undefined ? null : <span className="meta">{aside}</span>}</header>
      {children}
    </main>
  );
}

export interface KeyFigure {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}

/** Key figures in one ruled strip. */
export function FigureStrip({ label, figures }: { readonly label: string; readonly figures: readonly KeyFigure[] }) {
  return (
    <section className="strip" aria-label={label}>
      {figures.map((figure) => (
        <div key={figure.label}><p className="meta2">{figure.label}</p><p className="fig num">{figure.value}{figure.note === undefined ? null : <> <small>{figure.note}</small></>}</p></div>
      ))}
    </section>
  );
}

interface PageProps {
  readonly title: ReactNode;
  readonly lead?: ReactNode;
  readonly tabs?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A plain page on one sheet: settings, agents, a session. */
export function Page({ title, lead, tabs, actions, children }: PageProps) {
  return (
    <main className="sheet-page" id="content" tabIndex={-1}>
      <header className="page-h">
        <div><h1 className="item-title">{title}</h1>{lead === undefined ? null : <p className="item-sum">{lead}</p>}</div>
        {actions === undefined ? null : <div className="page-do">{actions}</div>}
      </header>
      {tabs}
      {children}
    </main>
  );
}
