'use client';

import Link from 'next/link';
import { useState } from 'react';

import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ChangedDecision } from '@/lib/policy/replay-report';

import { DecisionMove } from './decision-move';

const atFirst = 8;

const said = { approved: 'a person approved it', denied: 'a person denied it', other: 'nobody decided it' } as const;

/** Decisions that change, gravest first; each leads to its receipt. `total` counts those that are not listed too. */
export function ChangedReceipts({ rows, total }: { readonly rows: readonly ChangedDecision[]; readonly total: number }) {
  const [all, setAll] = useState(false);
  if (rows.length === 0) return null;
  const shown = all ? rows : rows.slice(0, atFirst);
  return (
    <>
      <div className="sec-h samples-h"><h3>Receipts that change</h3>{rows.length > atFirst ? <button type="button" className="link meta" aria-expanded={all} onClick={() => setAll(!all)}>{all ? 'Fewer' : `All ${rows.length.toLocaleString('en')}`}</button> : null}</div>
      <ul className="samples">
        {shown.map(({ receipt, index, tool, operation, agent, now, then, people }) => (
          <li key={receipt}>
            <Link className="link" href={{ pathname: '/receipts', query: { receipt } }} aria-label={`Receipt ${index.toLocaleString('en')}`}><code className="num">{index.toLocaleString('en')}</code></Link>
            <span><code><UntrustedText text={`${tool}.${operation}`} /></code> <span className="t3">{agent}{people === null ? '' : `, ${said[people]}`}</span></span>
            <DecisionMove from={now} to={then} />
          </li>
        ))}
      </ul>
      {total > rows.length ? <p className="meta2">{(total - rows.length).toLocaleString('en')} more change and are counted above.</p> : null}
    </>
  );
}
