import { parentPort } from 'node:worker_threads';

import { createStores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { checkpointSigner } from '@/lib/services/checkpoint-signer';
import type { Draft } from '@/lib/services/draft';
import { groupCommit } from '@/lib/services/group-commit';
import { keyring } from '@/lib/services/keyring';

import type { FromCommitThread, Numbered, Settled, ToCommitThread } from './commit-messages';
import { environment } from './env';
import { nodeSha256 } from './node-sha256';
import { randomIds } from './random-ids';
import { planeKeys } from './plane-keys';

/** The other end of `startCommitThread`: takes drafts, commits them together, answers by number. */
export async function runCommitThread(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('This runs as a thread of the plane.');
  const settings = environment();
  const { databaseUrl } = settings;
  if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set.');
  // A connection that broke while idle is replaced; a statement on it reports the fault to its caller.
  const pool = createPool({ url: databaseUrl, max: 2, genericPlans: true, onIdleError: () => undefined });
  const workspace = await openWorkspace(pool, randomIds().make('workspace'), 'default');
  const keys = keyring('plane', (await planeKeys(settings)).receipts);
  // A key service is never asked under the head lock: the plane covers the log beside its commits then.
  const signCheckpoint = settings.checkpointKms ? null : checkpointSigner({ workspace, sha256: nodeSha256, at: keys.at });
  const commits = groupCommit(createStores(pool, workspace), signCheckpoint);
  let settled: Numbered<Settled>[] = [];

  const answer = (number: number, value: Settled): void => {
    // One batch settles in one turn, and goes back in one message.
    if (settled.length === 0) setImmediate(send);
    settled.push({ number, value });
  };
  const send = (): void => {
    port.postMessage({ kind: 'settled', results: settled } satisfies FromCommitThread);
    settled = [];
  };
  const take = ({ number, value }: Numbered<Draft>): void => {
    commits.submit(value).then(
      (outcome) => answer(number, { outcome }),
      (cause: unknown) => answer(number, { error: faultOf(cause) }),
    );
  };
  const stop = async (): Promise<void> => {
    await commits.idle();
    await pool.end();
    setImmediate(() => port.close());
  };
  port.on('message', (message: ToCommitThread) => {
    if (message.kind === 'stop') return void stop();
    if (message.kind === 'keys') return keys.follow(message.standing);
    for (const draft of message.drafts) take(draft);
  });
  port.postMessage({ kind: 'ready' } satisfies FromCommitThread);
}

function faultOf(cause: unknown): { readonly name: string; readonly message: string; readonly stack?: string } {
  if (!(cause instanceof Error)) return { name: 'Error', message: String(cause) };
  return { name: cause.name, message: cause.message, ...(cause.stack === undefined ? {} : { stack: cause.stack }) };
}
