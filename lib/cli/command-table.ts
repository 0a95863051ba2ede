import type { CommandTable } from '@/lib/cli/command';
import { guardCommands } from '@/lib/cli/guard/guard-commands';

/** Every command of `countersign`, loaded when it is called. */
export const commandTable: CommandTable = {
  'set-up-link': { does: 'print a one-time link that makes the first owner', load: () => import('@/lib/cli/commands/set-up-link') },
  plane: { does: 'run the decision plane alone', load: () => import('@/lib/cli/commands/plane') },
  console: { does: 'run the console alone', load: () => import('@/lib/cli/commands/console') },
  fsck: { does: 'rebuild the log and compare everything stored beside it', load: () => import('@/lib/cli/commands/fsck') },
  export: { does: 'write receipts, proofs and contents into one file', load: () => import('@/lib/cli/commands/export') },
  erase: { does: 'delete contents and their salts; receipts and proofs stay', load: () => import('@/lib/cli/commands/erase') },
  verify: { does: 'check such a file without a database', load: () => import('@/lib/cli/commands/verify') },
  checkpoint: { does: 'print the newest signed checkpoint; prove that the log has only grown', load: () => import('@/lib/cli/commands/checkpoint') },
  verifier: { does: 'print the verifier as one HTML file that works offline', load: () => import('@/lib/cli/commands/verifier') },
  report: { does: 'make of such a file one HTML page that verifies itself', load: () => import('@/lib/cli/commands/report') },
  'policy lint': { does: 'find faults in policies, each with line and column', load: () => import('@/lib/cli/commands/policy-lint') },
  'policy test': { does: 'run the tests beside policies', load: () => import('@/lib/cli/commands/policy-test') },
  'policy simulate': { does: 'decide actions by a policy, without a plane', load: () => import('@/lib/cli/commands/policy-simulate') },
  'policy explain': { does: 'say why a policy decides about an action as it does', load: () => import('@/lib/cli/commands/policy-explain') },
  'policy sign': { does: 'sign the exact bytes of a policy with an owner’s key file', load: () => import('@/lib/cli/commands/policy-sign') },
  'policy verify': { does: 'check the signatures beside policies', load: () => import('@/lib/cli/commands/policy-verify') },
  'policy apply': { does: 'take a signed policy into force as the next revision', load: () => import('@/lib/cli/commands/policy-apply') },
  ...guardCommands,
  'policy rollback': { does: 'bring back the text of an earlier revision as a new one', load: () => import('@/lib/cli/commands/policy-rollback') },
  'policy diff': { does: 'say what one policy changes against another, and what it means', load: () => import('@/lib/cli/commands/policy-diff') },
  'bench-data': { does: 'fill an empty log with valid receipts, for measuring', load: () => import('@/lib/cli/commands/bench-data') },
  conformance: { does: 'play the conformance cases on this or another system', load: () => import('@/lib/cli/commands/conformance') },
  replay: { does: 'send recorded traces through a plane and count what became of them', load: () => import('@/lib/cli/commands/replay') },
  'trust init': { does: 'set up without a browser: owner key and recovery key in files', load: () => import('@/lib/cli/commands/trust-init') },
  'trust rotate': { does: 'sign the next trust root with owners’ key files', load: () => import('@/lib/cli/commands/trust-rotate') },
  'switch release': { does: 'release a kill switch with an owner’s key file', load: () => import('@/lib/cli/commands/switch-release') },
  'trust accept-rollback': { does: 'have an owner accept a restored database', load: () => import('@/lib/cli/commands/trust-accept-rollback') },
  'trust show': { does: 'show trust root, owners, service keys and what is in force', load: () => import('@/lib/cli/commands/trust-show') },
};
