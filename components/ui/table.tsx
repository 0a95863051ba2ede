import type { ComponentProps, ReactNode } from 'react';

interface TableProps {
  /** Names the table; read, not shown. */
  readonly caption: string;
  /** `ledger` is the dense full-pane table with a sticky head; `ruled` sits inside a section. */
  readonly variant?: 'ledger' | 'ruled';
  readonly className?: string;
  /** All rows, head included, when not all are in the document; -1 when nobody knows. */
  readonly rowCount?: number;
  readonly children: ReactNode;
}

/** A table with a hairline between records. Column widths come from classes on its `Th`, never from inline styles. */
export function Table({ caption, variant = 'ruled', className, rowCount, children }: TableProps) {
  const look = variant === 'ledger' ? 'ledger' : 'ruled';
  return <table className={className === undefined ? look : `${look} ${className}`} aria-rowcount={rowCount}><caption className="vh">{caption}</caption>{children}</table>;
}

/** Head cell of a column. */
export function Th({ scope = 'col', ...rest }: Omit<ComponentProps<'th'>, 'style'>) {
  return <th {...rest} scope={scope} />;
}

/** A row that closes what stands below it: a checkpoint, a total. */
export function CloseRow({ span, children }: { readonly span: number; readonly children: ReactNode }) {
  return <tr className="close"><td colSpan={span}>{children}</td></tr>;
}

/** Stands for rows that are not drawn. An SVG attribute carries the height, for inline styles are refused. */
export function GapRow({ height, span }: { readonly height: number; readonly span: number }) {
  return <tr className="gap" aria-hidden><td colSpan={span}><svg width="1" height={height} /></td></tr>;
}
