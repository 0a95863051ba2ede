import type { ReactNode } from 'react';
import { DecisionMark } from '@/components/ui/decision-mark';
import { Icon, type IconName } from '@/components/ui/icon';

interface BandProps {
  readonly tone?: 'plain' | 'warn' | 'deny';
  /** `denied` draws the Deny silhouette. */
  readonly icon?: IconName | 'denied';
  /** What happened. */
  readonly title: ReactNode;
  /** What did not happen, and one next step. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Fills the width of its pane instead of standing in it. */
  readonly full?: boolean;
  /** `alert` interrupts a screen reader; only for what stops the work under way. */
  readonly role?: 'status' | 'alert' | 'note';
}

/** A notice inside a pane: what happened, what did not, one next step. */
export function Band({ tone = 'plain', icon = 'caution', title, children, action, full = false, role = 'status' }: BandProps) {
  const classes = ['band', tone === 'plain' ? '' : `band-${tone}`, full ? 'band-full' : ''].filter(Boolean).join(' ');
  return (
    <div className={classes} role={role}>
      {icon === 'denied' ? <DecisionMark decision="DENY" label={null} /> : <Icon name={icon} />}
      <p><b>{title}</b>{children === undefined ? null : <> {children}</>}</p>
      {action === undefined ? null : <span className="band-do">{action}</span>}
    </div>
  );
}

/** Shown while this browser can't hear from the server. Countdowns stop and signing is off; denying stays on. */
export function NotLive({ ageWords, action }: { readonly ageWords: string; readonly action?: ReactNode }) {
  return (
    <Band tone="warn" title={`Not live for ${ageWords}.`} action={action} full>
      Countdowns are stopped here, not at the decision plane. Signing is off until this page is live again; denying works.
    </Band>
  );
}
