import type { ConsoleParts } from '@/lib/services/console/console-parts';

import type { SignInLimits } from './sign-in-limits';

/** What signing in needs of the console. */
export type AuthParts = Pick<ConsoleParts, 'people' | 'passwords' | 'reads' | 'transactor' | 'ledger' | 'sign' | 'events'> & {
  readonly limits: SignInLimits;
  /** Logs what must not reach the page: next-auth would put its message into a URL. */
  readonly report: (cause: unknown) => void;
};
