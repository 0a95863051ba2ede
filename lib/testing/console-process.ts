import type { ApproveInput, DenyInput } from '@/lib/contracts/console/approvals';
import { approveRequest } from '@/lib/services/console/approve-request';
import { denyRequest } from '@/lib/services/console/deny-request';
import type { PersonId, WorkspaceId } from '@/lib/shared/ids';

import { testConsole, viewerById } from './console-fixture';

/** What is to be decided, by whom; `turn` comes back with the answer. */
export type Decide = { readonly turn: number; readonly person: PersonId } & ({ readonly approve: ApproveInput } | { readonly deny: DenyInput });

// A console in a process of its own, which decides as its parent tells it to. Run by tests with `fork`.
const [databaseUrl, workspace, stateDirectory] = process.argv.slice(2);
if (databaseUrl === undefined || workspace === undefined || stateDirectory === undefined) throw new Error('console-process URL WORKSPACE STATE');
const { parts } = await testConsole({ databaseUrl, workspace: workspace as WorkspaceId, stateDirectory });
await parts.inForce.refresh();

async function decide(asked: Decide): Promise<void> {
  const viewer = await viewerById(parts, asked.person);
  const result = 'approve' in asked ? await approveRequest(parts, viewer, asked.approve) : await denyRequest(parts, viewer, asked.deny);
  process.send?.({ turn: asked.turn, result });
}
process.on('message', (asked: Decide) => void decide(asked).catch((cause: unknown) => process.send?.({ turn: asked.turn, result: { ok: false, error: { code: 'internal', detail: String(cause) } } })));
process.send?.('ready');
