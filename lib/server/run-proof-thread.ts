import { parentPort } from 'node:worker_threads';

import { createStores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { stockCatalogue } from '@/lib/mediate/stock';
import { comparePolicies } from '@/lib/policy/compare/compare-policies';
import { makeProof } from '@/lib/services/proof/make-proof';
import type { ReplayLog } from '@/lib/services/proof/replay-log';
import { shadowStep } from '@/lib/services/proof/shadow-step';
import { findSuggestions } from '@/lib/services/proof/suggest/find-suggestions';
import type { Result } from '@/lib/shared/result';

import { compilePolicyText } from './compile-policy-text';
import { environment } from './env';
import { nodeBase64Text } from './node-base64';
import { nodeSha256, nodeSha256OfText } from './node-sha256';
import type { FromProofThread, SentFault, ToProofThread } from './proof-messages';
import { randomIds } from './random-ids';

/** The other end of `runInProofThread`: does one piece of work, and reads the log through connections of its own. It signs nothing and writes nothing. */
export function runProofThread(): void {
  const port = parentPort;
  if (!port) throw new Error('This runs as a thread of the console.');
  const send = (message: FromProofThread): void => port.postMessage(message);

  const work = async (asked: ToProofThread): Promise<void> => {
    if (asked.kind === 'follow') return send({ kind: 'followed', result: sent(await shadowStep(await openLog(), compilePolicyText, asked.work)) });
    if (asked.kind === 'suggest') return send({ kind: 'suggested', result: sent(await findSuggestions(await openLog(), compilePolicyText, asked.work)) });
    const parts = { log: openLog, sha256: nodeSha256, catalogue: stockCatalogue(nodeSha256), compare: comparePolicies };
    const result = await makeProof(parts, asked.work, {
      progress: (progress) => send({ kind: 'progress', progress }),
      found: (soFar) => send({ kind: 'found', soFar }),
    });
    send({ kind: 'proved', result: sent(result) });
  };
  port.on('message', (asked: ToProofThread) => {
    work(asked).catch((cause: unknown) => send({ kind: 'failed', message: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }));
  });
}

async function openLog(): Promise<ReplayLog> {
  const { databaseUrl } = environment();
  if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set.');
  const pool = createPool({ url: databaseUrl, max: 2, onIdleError: () => undefined });
  const workspace = await openWorkspace(pool, randomIds().make('workspace'), 'default');
  const { log, content } = createStores(pool, workspace);
  return { log, content, sha256: nodeSha256, sha256OfText: nodeSha256OfText, text: nodeBase64Text };
}

function sent<T>(result: Result<T>): Result<T, SentFault> {
  if (result.ok) return result;
  const { cause: _cause, ...fault } = result.error;
  return { ok: false, error: fault };
}
