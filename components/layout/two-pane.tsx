import Link from 'next/link';
import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';

interface TwoPaneProps {
  /** Which pane a phone shows; it has room for one. */
  readonly pane: 'list' | 'detail';
  readonly list: ReactNode;
  /** A `DetailPane`, or an `EmptyState` in a `DetailBlank`. */
  readonly detail: ReactNode;
}

/** A list of things to judge and the one under judgement. */
export function TwoPane({ pane, list, detail }: TwoPaneProps) {
  return <main className="work" id="content" data-pane={pane} tabIndex={-1}>{list}{detail}</main>;
}

interface ListPaneProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly tabs?: ReactNode;
  readonly tools?: ReactNode;
  /** Names the scrolling list: "Seven held actions, soonest to be denied first". */
  readonly label: string;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
  readonly keys?: readonly { readonly keys: readonly string[]; readonly does: string }[];
}

/** The list pane: head, tabs, filter, rows, and what is true of all of them. */
export function ListPane({ title, aside, tabs, tools, label, children, foot, keys }: ListPaneProps) {
  return (
    <section className="queue" aria-label={title}>
      <header className="queue-head">
        <div className="queue-line"><h1>{title}</h1>{aside === undefined ? null : <span className="meta">{aside}</span>}</div>
        {tabs}
      </header>
      {tools === undefined ? null : <div className="tools">{tools}</div>}
      <div className="rows" role="group" tabIndex={0} aria-label={label}>{children}</div>
      {foot === undefined && keys === undefined ? null : (
        <footer className="queue-foot">
          {foot}
          {keys === undefined ? null : <div className="keys">{keys.map((key) => <span key={key.does}>{key.keys.map((cap) => <kbd key={cap}>{cap}</kbd>)} {key.does}</span>)}</div>}
        </footer>
      )}
    </section>
  );
}

interface DetailPaneProps {
  /** Id of the heading that names it. */
  readonly labelledBy: string;
  readonly head: ReactNode;
  readonly children: ReactNode;
  /** Evidence beside the action. */
  readonly side?: ReactNode;
  /** A `DecisionBar`, always in view. */
  readonly bar?: ReactNode;
}

/** The thing under judgement: head, evidence, aside, and the bar that decides. */
export function DetailPane({ labelledBy, head, children, side, bar }: DetailPaneProps) {
  return (
    <article className="detail" aria-labelledby={labelledBy}>
      {head}
      <div className="item-body" data-wide={side === undefined ? '' : undefined} role="group" tabIndex={0} aria-label="Evidence">
        <div className="item-main">{children}</div>
        {side === undefined ? null : <aside className="item-side" aria-label="Context">{side}</aside>}
      </div>
      {bar}
    </article>
  );
}

/** The detail pane while nothing is selected. */
export function DetailBlank({ children }: { readonly children: ReactNode }) {
  return <div className="detail detail-blank">{children}</div>;
}

interface ItemHeadProps {
  readonly back: { readonly href: string; readonly label: string };
  /** Decision chip, impact, when and which case. */
  readonly tags: ReactNode;
  readonly titleId: string;
  /** Measured facts only, never the agent's wording. */
  readonly title: ReactNode;
  readonly summary?: ReactNode;
  /** A `Countdown`, or what stands in its place. */
  readonly clock?: ReactNode;
}

/** Head of a detail pane. On a phone the way back and the countdown are pinned to the top. */
export function ItemHead({ back, tags, titleId, title, summary, clock }: ItemHeadProps) {
  return (
    <header className="item-head">
      <Link className="back" href={back.href} scroll={false}><Icon name="back" />{back.label}</Link>
      <div className="item-tags">{tags}</div>
      <h1 className="item-title" id={titleId} tabIndex={-1}>{title}</h1>
      {summary === undefined ? null : <p className="item-sum">{summary}</p>}
      {clock}
    </header>
  );
}
