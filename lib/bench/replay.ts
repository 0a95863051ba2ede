import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { openDatabase } from '@/lib/cli/open-database';
import { createStores, type Stores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { decide } from '@/lib/engine/decide';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { ContentItem } from '@/lib/ports/content-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { generateKey } from '@/lib/server/ed25519';
import { nodeBase64, nodeBase64Text } from '@/lib/server/node-base64';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { freshContent, sealAction } from '@/lib/services/action-content';
import { decidedBody } from '@/lib/services/decision-receipt';
import { replayLog } from '@/lib/services/proof/replay-log';
import { receiptSigner, type SignReceipt } from '@/lib/services/sign-receipt';
import { asJson } from '@/lib/shared/as-json';
import type { WorkspaceId } from '@/lib/shared/ids';

import { benchNow, engineCases, type EngineCase } from './engine-cases';

const batch = 500;

export type ReplayFigures = { readonly receipts: number; readonly replay_s: number; readonly receipts_per_s: number; readonly changed: number; readonly rss_mb: number };

/**
 * What taking the decisions of a log again takes: as many receipts of decisions, each with its action and snapshot, written through the real stores into
 * an embedded PostgreSQL in a temporary directory, then read, hashed into the tree, and decided under both policies.
 */
export async function benchReplay({ receipts, departments, base, proposed }: { readonly receipts: number; readonly departments: number; readonly base: CompiledPolicy; readonly proposed: CompiledPolicy }): Promise<ReplayFigures> {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'countersign-replay-'));
  try {
    const database = await openDatabase(path.join(temporary, 'state'), undefined);
    const pool = createPool({ url: database.url, max: 2, onIdleError: () => undefined });
    try {
      const workspace = await openWorkspace(pool, randomIds().make('workspace'), 'bench-replay');
      const stores = createStores(pool, workspace);
      await fill(stores, workspace, base, engineCases(base, departments, 40), receipts);
      return await measure(stores, { base, proposed });
    } finally {
      await pool.end();
      await database.close();
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function measure({ log, content }: Stores, policies: Parameters<typeof replayLog>[2]): Promise<ReplayFigures> {
  const { size, root } = await log.head();
  const begun = performance.now();
  const report = await replayLog({ log, content, sha256: nodeSha256, text: nodeBase64Text }, { from: 0, to: Number(size), since: benchNow, root, leftOut: 0 }, policies);
  const seconds = (performance.now() - begun) / 1000;
  if (!report.ok) throw new Error(report.error.detail);
  if (report.value.replayed !== Number(size)) throw new Error(`Only ${String(report.value.replayed)} of ${String(size)} decisions were taken again: ${JSON.stringify(report.value.not_replayed)}`);
  const rate = Math.round(Number(size) / seconds);
  return { receipts: Number(size), replay_s: Math.round(seconds * 100) / 100, receipts_per_s: rate, changed: report.value.changed, rss_mb: Math.round(process.memoryUsage().rss / 1024 / 1024) };
}

async function fill(stores: Stores, workspace: WorkspaceId, policy: CompiledPolicy, cases: readonly EngineCase[], receipts: number): Promise<void> {
  const sign = receiptSigner({ workspace, sha256: nodeSha256, signer: generateKey().signer, ids: randomIds(), base64: nodeBase64, unchecked: new Set(['action_decided']) });
  for (let at = 0; at < receipts; at += batch) {
    const chosen = Array.from({ length: Math.min(batch, receipts - at) }, (_, n) => cases[(at + n) % cases.length]).filter((one) => one !== undefined);
    const made = await Promise.all(chosen.map((one) => decided(one, policy, sign)));
    await stores.transactor.withHead(async (tx) => {
      await stores.content.add(tx, made.flatMap(({ contents }) => contents));
      await stores.ledger.append(tx, made.map(({ receipt }) => receipt));
    });
  }
}

/** A decision with what it rested on, as the plane writes it. */
async function decided({ action, snapshot }: EngineCase, policy: CompiledPolicy, sign: SignReceipt): Promise<{ readonly receipt: SignedReceipt; readonly contents: readonly ContentItem[] }> {
  const ids = randomIds();
  const decision = decide(action, snapshot, policy, benchNow);
  const sealed = sealAction(nodeSha256, action, action.parameters, ids.salt);
  if (!sealed.ok) throw new Error(sealed.error.detail);
  const kept = freshContent(nodeSha256, ids.salt(), asJson(snapshot));
  const body = decidedBody({ sha256: nodeSha256, decision, snapshot, snapshotDigest: kept.digest, snapshotSalt: kept.salt, policy: { revision: 1, digest: policy.digest }, epoch: 1n, seals: sealed.value.seals });
  const id = ids.make('action');
  const permitted = decision.decision === 'ALLOW' || decision.decision === 'MODIFY';
  const permit = {
    id: ids.make('permit'), expires_at: benchNow, action_digest: sealed.value.digest, obligations: decision.obligations.map(({ kind, value }) => ({ kind, value })),
    context_head: body.context_head, context_seq: body.context_seq, epoch: 1,
  };
  const receipt = await sign(
    'action_decided', benchNow,
    { ...body, tool: action.tool, operation: action.operation, action: { id, digest: sealed.value.digest }, cause: 'proposed', state: permitted ? 'permitted' : 'denied', ...(permitted ? { permit } : {}) },
    { session: snapshot.identity.session, action: id, agent: snapshot.identity.agent, tool: action.tool, operation: action.operation, decision: decision.decision, revision: 1 },
  );
  return { receipt, contents: [...sealed.value.items, kept] };
}
