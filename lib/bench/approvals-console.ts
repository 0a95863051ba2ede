import { checksOf } from '@/lib/approvals/checks';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { signVote, voteStatement } from '@/lib/approvals/vote-statement';
import { viewerOf } from '@/lib/auth/viewer-of';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { keyFromPem } from '@/lib/server/ed25519';
import { environment } from '@/lib/server/env';
import { joinConsoleParts } from '@/lib/server/join-console-parts';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKeys } from '@/lib/server/service-keys';
import { approveRequest } from '@/lib/services/console/approve-request';
import { envelopeText } from '@/lib/shared/dsse';
import { isId } from '@/lib/shared/ids';

/**
 * A process with the console's parts, for the bench: signs as the approver's browser would, and then does what the server action of the
 * click does. What is sent to it is `sign ID` or `click ID`; it answers with the same line once that is done.
 */
const settings = environment();
const pool = createPool({ url: settings.databaseUrl ?? '', max: 10, onIdleError: () => undefined });
const workspace = await openWorkspace(pool, randomIds().make('workspace'), 'default');
const parts = await joinConsoleParts({ settings, pool, workspace, keys: await ownServiceKeys(settings.stateDirectory, 'console', settings.consoleKey), pinsOf: 'console' });
const key = keyFromPem(process.env['BENCH_KEY'] ?? '');
const row = await parts.people.byEmail(process.env['BENCH_APPROVER'] ?? '');
const viewer = row && viewerOf(row, await parts.inForce.refresh());
if (!viewer) throw new Error('There is no approver.');
const signed = new Map<string, string>();

async function sign(id: string): Promise<void> {
  const request = isId('approval', id) ? await parts.approvals.find(id) : undefined;
  const held = parseHeldAction(JSON.parse(request?.held ?? 'null'));
  if (!held.ok || !viewer) throw new Error(`${id} is not held.`);
  const voter = { person: viewer.person, key: key.id, key_kind: 'file-ed25519' } as const;
  const draft = { verdict: 'approve', checks: checksOf(held.value).map((check) => check.id), nonce: '0'.repeat(32), voter, signed_at: new Date().toISOString() } as const;
  signed.set(id, envelopeText(await signVote(voteStatement(held.value, draft, nodeSha256), key.signer)));
}

async function click(id: string): Promise<void> {
  const envelope = signed.get(id);
  if (!viewer || envelope === undefined || !isId('approval', id)) throw new Error(`${id} was not signed.`);
  const outcome = await approveRequest(parts, viewer, { approval: id, envelope });
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.detail}`);
}

process.on('message', (line) => {
  const [what = '', id = ''] = String(line).split(' ');
  (what === 'click' ? click(id) : sign(id)).then(
    () => process.send?.(line),
    (cause: unknown) => process.send?.(`fault ${id} ${String(cause)}`),
  );
});
process.send?.('ready');
