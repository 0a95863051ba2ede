import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';
import { Seal } from '@/components/ui/seal';
import { Section } from '@/components/ui/section';

export interface VerdictCheck {
  readonly key: string;
  readonly state: 'pass' | 'fail' | 'running' | 'skipped';
  readonly claim: ReactNode;
  readonly detail?: ReactNode;
}

export interface VerdictLimit {
  readonly key: string;
  /** "That the refund was right." */
  readonly claim: string;
  readonly because: ReactNode;
}

interface SealVerdictProps {
  /** "All 6 checks pass", "Receipt 88,190 doesn't link to 88,189" */
  readonly title: ReactNode;
  /** How it was found: "Run in this browser in 41 ms. No server was asked." */
  readonly how: ReactNode;
  readonly checks: readonly VerdictCheck[];
  /** Stay visible whatever the verdict. */
  readonly limits: readonly VerdictLimit[];
  /** Between the checks and what they can't prove. */
  readonly children?: ReactNode;
}

/** What was checked and what came of it. The seal appears only when every check passed; what the checks can't prove is always said. */
export function SealVerdict({ title, how, checks, limits, children }: SealVerdictProps) {
  const state = verdictState(checks);
  return (
    <>
      <div className="verdict" data-state={state} role="status">
        {state === 'pass' ? <Seal /> : <Icon name={state === 'fail' ? 'stale' : 'clock'} className="verdict-i" />}
        <div><b>{title}</b><span className="meta2">{how}</span></div>
      </div>
      <ol className="proof">
        {checks.map((check) => (
          <li key={check.key} data-state={check.state}>
            <CheckIcon state={check.state} />
            <span>{check.claim}</span>
            <span className="t3">{check.detail}</span>
          </li>
        ))}
      </ol>
      {children}
      {limits.length === 0 ? null : (
        <Section title={state === 'pass' ? 'What this green check does not prove' : 'What these checks could not prove'} level={3}>
          <ul className="limits">
            {limits.map((limit) => <li key={limit.key}><Icon name="dash" /><span><b>{limit.claim}</b> {limit.because}</span></li>)}
          </ul>
        </Section>
      )}
    </>
  );
}

/** One failure fails the whole; a check that was skipped keeps the seal away like one still running. */
export function verdictState(checks: readonly VerdictCheck[]): 'pass' | 'fail' | 'open' {
  if (checks.some((check) => check.state === 'fail')) return 'fail';
  return checks.length > 0 && checks.every((check) => check.state === 'pass') ? 'pass' : 'open';
}

function CheckIcon({ state }: { readonly state: VerdictCheck['state'] }) {
  switch (state) {
    case 'pass': return <Icon name="check" label="Passed" />;
    case 'fail': return <Icon name="cross" label="Failed" />;
    case 'running': return <Icon name="clock" label="Still running" />;
    case 'skipped': return <Icon name="dash" label="Not checked" />;
  }
}
