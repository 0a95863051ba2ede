import { exitCode, type Command } from '@/lib/cli/command';
import { callerUid, flagsOf, oneLine, refuse } from '@/lib/cli/guard/guard-call';
import { listProposals, type ListedProposals } from '@/lib/server/guard-directory/list-proposals';
import { withGuardDirectory } from '@/lib/server/guard-directory/open-guard-directory';

const usage = `usage: countersign guard list --state DIR

Shows the allowlist in force and every proposal that waits, each with the SHA-256 that names it. For the owner.
Exit: 0 done, 2 refused, or usage.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const state = flagsOf(args, ['state']).get('state');
    const caller = callerUid();
    if (!caller.ok) return refuse(terminal, caller.error);
    const listed = withGuardDirectory(state, (directory) => listProposals(directory, caller.value));
    if (!listed.ok) return refuse(terminal, listed.error);
    terminal.out(textOf(listed.value));
    return exitCode.done;
  },
};

function textOf({ allowlist, inbox }: ListedProposals): string {
  const head = [
    'actor: owner',
    `revision: ${String(allowlist.revision)}`,
    `allowlist_sha256: ${allowlist.digest}`,
    `permissions: ${allowlist.permissions.map(oneLine).join(', ')}`,
    `waiting: ${String(inbox.waiting.length)}`,
  ];
  const proposals = inbox.waiting.flatMap(({ proposal, uid, files, refusal }) => [
    '',
    `proposal_sha256: ${proposal.id}`,
    `permission: ${oneLine(proposal.permission)}`,
    `reason (unverified): ${oneLine(proposal.reason)}`,
    `requested_at (unverified): ${oneLine(proposal.requestedAt)}`,
    `written_by: uid=${String(uid)}`,
    `base: revision=${String(proposal.base.revision)} allowlist_sha256=${proposal.base.digest}`,
    `file: ${files.map(({ name }) => name).join(', ')}`,
    `can_be_applied: ${refusal === undefined ? 'yes' : `no: ${oneLine(refusal.detail)}`}`,
  ]);
  const odd = inbox.odd.flatMap(({ name, why }) => ['', `not_a_proposal: ${oneLine(name)}: ${oneLine(why)}`]);
  return `${[...head, ...proposals, ...odd].join('\n')}\n`;
}
