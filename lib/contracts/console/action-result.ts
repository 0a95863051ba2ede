import type { ErrorCode } from '@/lib/shared/error-codes';
import type { Issue } from '@/lib/shared/result';

/** A fault as the browser gets it: a closed code, its title, what happened, and how to put it right. Causes stay on the server. */
export type ShownFault = {
  readonly code: ErrorCode;
  readonly title: string;
  readonly detail: string;
  readonly fix?: string;
  readonly issues: readonly Issue[];
};

/** What every server action answers. Actions never throw to the client. */
export type ActionResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ShownFault };

/** The body of a refused read: its status is the code's own. */
export type ErrorBody = { readonly error: ShownFault };
