import type { DecisionKind } from '@/lib/mediate/catalogue';
import type { SwitchView } from './agents';
import type { Channel } from './notices';
import type { ErrorCode } from '@/lib/shared/error-codes';

/** What each screen shows in its frame, signed in or not. */
export type ConsoleStatus = {
  /** The workspace's name. */
  readonly workspace: string;
  /** Why every action is denied; null when a signed policy is in force. */
  readonly denied: { readonly code: ErrorCode; readonly title: string; readonly detail: string; /** Which document was refused, by its own code. */ readonly because: ErrorCode | null } | null;
  readonly policy: { readonly revision: number; readonly digest: string; readonly signers: readonly string[]; readonly needed: number } | null;
  readonly checkpoint: { readonly size: number; readonly at: string } | null;
  readonly set_up: 'open' | 'done';
  readonly banners: {
    /** The trust root lets keys held in a browser sign high impact. */
    readonly browser_keys: boolean;
    /** This process countersigns key enrolments with a key file (the demo). */
    readonly demo_key: boolean;
    /** A newer policy was refused and the last good one goes on. */
    readonly policy_refused: { readonly code: ErrorCode; readonly detail: string } | null;
    readonly switches: readonly SwitchView[];
    /** By what people are not told of held requests, and since when. */
    readonly notices_failing: readonly { readonly channel: Channel; readonly since: string }[];
    /** Announced recoveries: by whom, and when the new owners may come into force unless one of the owners cancels. */
    readonly recoveries: readonly RecoveryView[];
    /** Names of those who can release one: the owners. */
    readonly owners: readonly string[];
  };
  readonly now: string;
};

export type RecoveryView = { readonly digest: string; readonly version: number; readonly by: string; readonly announced_at: string; readonly over_at: string };

export type OverviewView = {
  readonly waiting: number;
  readonly next_expiry: { readonly approval: string; readonly title: string; readonly expires_at: string } | null;
  readonly need_second: number;
  readonly oldest_held_at: string | null;
  readonly deferred: number;
  readonly last_hour: { readonly [Kind in DecisionKind]: number };
  /** One entry a minute of the last hour, oldest first. */
  readonly per_minute: readonly { readonly at: string; readonly counts: { readonly [Kind in DecisionKind]: number } }[];
  readonly denials_24h: { readonly total: number; readonly by_code: readonly { readonly code: string; readonly count: number }[] };
  readonly agents: readonly { readonly id: string; readonly decided: number; readonly held: number; readonly denied: number; readonly suspended: boolean }[];
  readonly receipts: number;
  readonly now: string;
};
