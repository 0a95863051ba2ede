import Link from 'next/link';
import type { ReactNode } from 'react';

interface ListCardProps {
  readonly href: string;
  readonly current?: boolean;
  /** Exact name, monospace. */
  readonly name: string;
  /** Right of the name: a `Ring`, or why it can't be signed. */
  readonly right?: ReactNode;
  /** What it is about, one line. */
  readonly what: ReactNode;
  /** Small line: its kind and its measured effect. */
  readonly foot?: ReactNode;
  /** Right of the small line: its age. */
  readonly when?: ReactNode;
}

/** One record of a list that isn't burning down: a proposal, a revision, an agent, a session. */
export function ListCard({ href, current = false, name, right, what, foot, when }: ListCardProps) {
  return (
    <Link className="card" href={href} aria-current={current ? 'true' : undefined} scroll={false} prefetch={false}>
      <span className="name">{name}</span>
      <span>{right}</span>
      <span className="what">{what}</span>
      <span className="foot">{foot}</span>
      <span className="foot">{when}</span>
    </Link>
  );
}

const directions = { loosens: { look: 'kind kind-loose', word: 'Loosens' }, tightens: { look: 'kind kind-tight', word: 'Tightens' }, mixed: { look: 'kind kind-loose', word: 'Loosens and tightens' }, same: { look: 'kind kind-tight', word: 'Decides the same' } } as const;

/** Which way a change of policy moves decisions, as measured. */
export function ChangeDirection({ direction, suffix }: { readonly direction: keyof typeof directions; readonly suffix?: string }) {
  const { look, word } = directions[direction];
  return <span className={look}><DirectionIcon direction={direction} />{suffix === undefined ? word : `${word} ${suffix}`}</span>;
}

function DirectionIcon({ direction }: { readonly direction: keyof typeof directions }) {
  const paths = { loosens: 'M1.5 8h13M4.5 5l-3 3 3 3M11.5 5l3 3-3 3', mixed: 'M1.5 8h13M4.5 5l-3 3 3 3M11.5 5l3 3-3 3', tightens: 'M1 8h5.5M3.5 5l3 3-3 3M15 8H9.5M12.5 5l-3 3 3 3', same: 'M3 6h10M3 10h10' } as const;
  return <svg className="i-s" viewBox="0 0 16 16" aria-hidden focusable="false"><path d={paths[direction]} fill="none" stroke="currentColor" strokeWidth="1.5" /></svg>;
}
