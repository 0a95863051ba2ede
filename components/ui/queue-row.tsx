import Link from 'next/link';
import type { ReactNode } from 'react';
import { Countdown } from '@/components/ui/countdown';
import { DecisionMark } from '@/components/ui/decision-mark';
import type { DecisionKind } from '@/components/ui/decision-kind';
import { RowBurn } from '@/components/ui/row-burn';

interface QueueRowProps {
  readonly href: string;
  readonly current?: boolean;
  readonly decision: DecisionKind;
  readonly decisionLabel?: string;
  /** tool.operation, measured. */
  readonly operation: string;
  /** What it would touch, measured. */
  readonly object: ReactNode;
  /** Who and how long: "ops-janitor · waited 02:14". */
  readonly by: ReactNode;
  /** Two short lines at the right: impact and quorum, or what is missing. */
  readonly right?: readonly [ReactNode, ReactNode];
  readonly deadline?: { readonly at: string; readonly since: string; readonly atZero: string };
  readonly offsetMs?: number;
  readonly live?: boolean;
}

/** One waiting action in a list. The rule under it is the time it has left. */
export function QueueRow({ href, current = false, decision, decisionLabel, operation, object, by, right, deadline, offsetMs = 0, live = true }: QueueRowProps) {
  return (
    <Link className="row" href={href} aria-current={current ? 'true' : undefined} scroll={false} prefetch={false}>
      <DecisionMark decision={decision} {...(decisionLabel === undefined ? {} : { label: decisionLabel })} />
      <span className="op">{operation}</span>
      {deadline === undefined ? null : <Countdown variant="figure" deadline={deadline.at} atZero={deadline.atZero} offsetMs={offsetMs} live={live} />}
      <span className="obj">{object}</span>
      {right === undefined ? null : <span className="c3">{right[0]}</span>}
      <span className="by">{by}</span>
      {right === undefined ? null : <span className="c3">{right[1]}</span>}
      {deadline === undefined ? null : <RowBurn deadline={deadline.at} since={deadline.since} offsetMs={offsetMs} live={live} />}
    </Link>
  );
}

/** Head of a group of rows. */
export function RowsHead({ title, right }: { readonly title: string; readonly right?: string }) {
  return <p className="rows-h"><span>{title}</span>{right === undefined ? null : <span>{right}</span>}</p>;
}
