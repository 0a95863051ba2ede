import Link from 'next/link';
import type { ReactNode } from 'react';
import { AvatarMenu, type ViewerIdentity } from '@/components/layout/avatar-menu';
import { MainNav, type NavItem } from '@/components/layout/main-nav';
import { DemoKeyBanner, PolicyUnsignedBand, RootBrowserKeyBanner } from '@/components/layout/standing-bands';
import { TrustState, type CheckpointState, type PolicyState } from '@/components/layout/trust-state';
import { Wordmark } from '@/components/layout/wordmark';
import { ThemeToggle } from '@/components/ui/theme-toggle';

interface ConsoleShellProps {
  readonly workspace: { readonly name: string; readonly environment?: string };
  readonly nav: readonly NavItem[];
  readonly policy: PolicyState | null;
  /** Which document was refused so that no policy is in force. */
  readonly policyRefusal?: { readonly code: string; readonly detail: string };
  readonly checkpoint: CheckpointState | null;
  readonly viewer: ViewerIdentity;
  /** Where the unsigned band sends a viewer who may set up; left out for the others. */
  readonly setUpHref?: string;
  /** The trust root lets browser keys sign high impact. */
  readonly browserKeysSignHighImpact?: boolean;
  readonly demo?: boolean;
  /** Further standing notices, such as not being live. */
  readonly notices?: ReactNode;
  readonly children: ReactNode;
}

/** Top bar, standing notices and the page below them. The page renders its own `main` with id `content`. */
export function ConsoleShell(props: ConsoleShellProps) {
  const { workspace } = props;
  return (
    <div className="console">
      <a className="skip" href="#content">Skip to the content</a>
      <header className="top">
        <Link className="brand" href="/"><Wordmark /></Link>
        <span className="tenant"><span className="tenant-org">{workspace.name}</span>{workspace.environment === undefined ? null : <span className="tenant-env">{workspace.environment}</span>}</span>
        <MainNav items={props.nav} />
        <TrustState policy={props.policy} checkpoint={props.checkpoint} />
        <ThemeToggle />
        <AvatarMenu viewer={props.viewer} />
      </header>
      <StandingNotices {...props} />
      {props.children}
    </div>
  );
}

function StandingNotices({ policy, policyRefusal, setUpHref, browserKeysSignHighImpact, demo, notices }: ConsoleShellProps) {
  if (policy !== null && browserKeysSignHighImpact !== true && demo !== true && notices === undefined) return null;
  return (
    <section className="notices" aria-label="Standing notices">
      {policy === null ? <PolicyUnsignedBand {...(setUpHref === undefined ? {} : { setUpHref })} {...(policyRefusal === undefined ? {} : { refusal: policyRefusal })} /> : null}
      {browserKeysSignHighImpact === true ? <RootBrowserKeyBanner /> : null}
      {demo === true ? <DemoKeyBanner /> : null}
      {notices}
    </section>
  );
}
