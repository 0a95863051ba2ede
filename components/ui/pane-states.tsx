import type { ReactNode } from 'react';
import { Band } from '@/components/ui/band';

interface EmptyStateProps {
  /** What is true: "Nothing waits for you." */
  readonly title: ReactNode;
  /** What else is true, and what is next. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Nothing is here: what is true and what is next. No pictures. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <p><b>{title}</b></p>
      {children === undefined ? null : <div className="meta2">{children}</div>}
      {action}
    </div>
  );
}

/** Ruled rows with still bars, which appear after 300 ms so that a quick answer doesn't flash. */
export function LoadingRows({ rows = 6, what }: { readonly rows?: number; readonly what: string }) {
  return <div className="load" role="status" aria-label={`Loading ${what}`}>{Array.from({ length: rows }, (_, index) => <i key={index} />)}</div>;
}

interface ErrorStateProps {
  /** What could not be done: "The receipts could not be read." */
  readonly title: string;
  /** What did not happen, and one next step. */
  readonly children: ReactNode;
  /** Closed error code, to be quoted to whoever looks after the system. */
  readonly code?: string;
  readonly action?: ReactNode;
}

/** Something failed. Never "something went wrong": what, what not, one next step. */
export function ErrorState({ title, children, code, action }: ErrorStateProps) {
  return (
    <div className="pane-state">
      <Band tone="deny" icon="stale" title={title} role="alert" action={action}>{children}{code === undefined ? null : <> <code>{code}</code></>}</Band>
    </div>
  );
}

/** The viewer may not see this. Says which role may, so that there is somebody to ask. */
export function Forbidden({ what, whoMay, action }: { readonly what: string; readonly whoMay: string; readonly action?: ReactNode }) {
  return (
    <div className="empty">
      <p><b>You may not see {what}.</b></p>
      <div className="meta2">{whoMay}</div>
      {action}
    </div>
  );
}
