import type { ConsoleParts } from '@/lib/services/console/console-parts';

/** What proposing is made of, in the console and in the plane. */
export type ProposalParts = Pick<
  ConsoleParts,
  | 'workspace' | 'cryptography' | 'ids' | 'sign' | 'compile' | 'inForce' | 'transactor' | 'authority' | 'proposals' | 'ledger' | 'log' | 'content' | 'sessions'
  | 'credentials' | 'events' | 'policyTests'
> & Partial<Pick<ConsoleParts, 'guards' | 'grants'>>;
