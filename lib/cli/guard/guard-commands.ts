import type { CommandTable } from '@/lib/cli/command';

/** A program of their own as well (`guard.ts`): agents run them as their own users, without database, settings or a folder to write. */
export const guardCommands: CommandTable = {
  'guard init': { does: 'make a directory whose allowlist an agent cannot write', load: () => import('@/lib/cli/commands/guard-init') },
  'guard check': { does: 'say whether such an allowlist allows an operation', load: () => import('@/lib/cli/commands/guard-check') },
  'guard self-request': { does: 'ask for one more permission, as the agent', load: () => import('@/lib/cli/commands/guard-self-request') },
  'guard list': { does: 'show what waits in the inbox, as the owner', load: () => import('@/lib/cli/commands/guard-list') },
  'guard apply-proposal': { does: 'apply a proposal, as the owner', load: () => import('@/lib/cli/commands/guard-apply-proposal') },
  'guard reject': { does: 'turn a proposal down for good, as the owner', load: () => import('@/lib/cli/commands/guard-reject') },
};
