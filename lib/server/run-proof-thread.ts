import { parentPort } from 'node:worker_threads';

import { createStores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { stockCatalogue } from '@/lib/mediate/stock';
import { comparePolicies } from '@/lib/policy/compare/compare-policies';
import { makeProof } from '@/lib/services/proof/make-proof';
import { shadowStep } from '@/lib/services/proof/shadow-step';
import { findSuggestions } from '@/lib/services/proof/suggest/find-suggestions';
import type { Result } from '@/lib/shared/result';

import { compilePolicyText } from './compile-policy-text';
import { environment } from './env';
import { nodeBase64Text } from './node-base64';
import { nodeSha256 } from './node-sha256';
import type { FromProofThread, SentFault, ToProofThread } from './proof-messages';
import { randomIds } from './random-ids';

/** The other end of `startProofThread`: does one piece of work after another, and reads the log through connections of its own. It signs nothing and writes nothing. */
export async function runProofThread(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('This runs as a thread of the console.');
  const { databaseUrl } = environment();
  if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set.');
  const pool = createPool({ url: databaseUrl, max: 2, onIdleError: () => undefined });
  const workspace = await openWorkspace(pool, randomIds().make('workspace'), 'default');
  const { log, content } = createStores(pool, workspace);
  const parts = { log, content, sha256: nodeSha256, text: nodeBase64Text };
  const catalogue = stockCatalogue(nodeSha256);
  const send = (message: FromProofThread): void => port.postMessage(message);

  const work = async (asked: ToProofThread): Promise<void> => {
    if (asked.kind === 'follow') return send({ kind: 'followed', result: sent(await shadowStep(parts, compilePolicyText, asked.work)) });
    if (asked.kind === 'suggest') return send({ kind: 'suggested', result: sent(await findSuggestions(parts, compilePolicyText, asked.work)) });
    const result = await makeProof({ ...parts, catalogue, compare: comparePolicies }, asked.work, {
      progress: (progress) => send({ kind: 'progress', progress }),
      found: (soFar) => send({ kind: 'found', soFar }),
    });
    send({ kind: 'proved', result: sent(result) });
  };
  port.on('message', (asked: ToProofThread) => {
    work(asked).catch((cause: unknown) => send({ kind: 'failed', message: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }));
  });
}

function sent<T>(result: Result<T>): Result<T, SentFault> {
  if (result.ok) return result;
  const { cause: _cause, ...fault } = result.error;
  return { ok: false, error: fault };
}
