import type { ActionStore } from '@/lib/ports/action-store';
import type { ApprovalStore } from '@/lib/ports/approval-store';
import type { Ids } from '@/lib/ports/ids';
import type { NoticePlace, NoticeStore } from '@/lib/ports/notice-store';
import type { Notifier } from '@/lib/ports/notifier';
import type { AuthorityInForce } from '@/lib/services/authority-in-force';
import type { Cryptography } from '@/lib/authority/verify-trust-root';

/** What telling people of held requests is made of. */
export type NoticeParts = {
  readonly notices: NoticeStore;
  readonly approvals: Pick<ApprovalStore, 'find'>;
  readonly actions: Pick<ActionStore, 'find'>;
  readonly inForce: Pick<AuthorityInForce, 'current'>;
  readonly cryptography: Pick<Cryptography, 'sha256'>;
  /** One a channel at most. */
  readonly notifiers: readonly Notifier[];
  /** Whether webhook and Slack hear how requests ended, too. */
  readonly ends: boolean;
  /** The console's address, without a trailing slash. */
  readonly consoleUrl: string;
  readonly ids: Pick<Ids, 'token'>;
  readonly report: (what: DeliveryReport) => void;
};

export type DeliveryReport =
  | { readonly kind: 'failing'; readonly at: NoticePlace; readonly fault: string }
  | { readonly kind: 'working_again'; readonly at: NoticePlace }
  | { readonly kind: 'given_up'; readonly at: NoticePlace; readonly count: number };
