'use client';

import { useId, type ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';

export interface Check {
  /** Id of the finding that asks for it; part of what is signed. */
  readonly id: string;
  readonly claim: ReactNode;
  readonly detail?: ReactNode;
}

interface ChecksProps {
  readonly checks: readonly Check[];
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (id: string, ticked: boolean) => void;
  readonly title?: string;
  readonly note?: string;
}

/** What named findings ask a person to judge before signing. The sign button stays gated until each is ticked. */
export function Checks({ checks, ticked, onTick, title = 'Check before you sign', note = 'Tick each one you have judged' }: ChecksProps) {
  const heading = useId();
  if (checks.length === 0) return null;
  return (
    <section className="checks" aria-labelledby={heading}>
      <div className="checks-h"><Icon name="caution" /><h2 id={heading}>{title}</h2><span className="t2">{note}</span></div>
      {checks.map((check) => (
        <label key={check.id}>
          <input className="check" type="checkbox" checked={ticked.has(check.id)} onChange={(event) => onTick(check.id, event.target.checked)} />
          <span><b>{check.claim}</b>{check.detail === undefined ? null : <span className="t2">{check.detail}</span>}</span>
        </label>
      ))}
    </section>
  );
}

/** "1 check left", or nothing when all are ticked: the words for a gated button. */
export function checksLeft(checks: readonly Check[], ticked: ReadonlySet<string>): string | undefined {
  const open = checks.filter((check) => !ticked.has(check.id)).length;
  if (open === 0) return undefined;
  return open === 1 ? '1 check left' : `${open} checks left`;
}
