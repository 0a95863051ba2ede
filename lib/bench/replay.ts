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
import { nodeSha256, nodeSha256OfText } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { freshContent, sealAction } from '@/lib/services/action-content';
import { decidedBody } from '@/lib/services/decision-receipt';
import { walkLog } from '@/lib/services/proof/replay-log';
import { receiptSigner, type SignReceipt } from '@/lib/services/sign-receipt';
import { asJson } from '@/lib/shared/as-json';
import type { WorkspaceId } from '@/lib/shared/ids';

import { benchNow, engineCases, type EngineCase } from './engine-cases';
import { loadPolicy } from './engine-load';
import { since, timeProof } from './time-proof';

const batch = 500;

export type ReplayFigures = {
  readonly receipts: number;
  /** The slower of two logs: one whose decisions the policy in force took, and one whose decisions a policy before it took, so that both are asked of each. */
  readonly replay_s: number;
  readonly own: ReplayTime;
  readonly redone: ReplayTime;
  /** Reading the same log and hashing it into the tree, and deciding nothing. */
  readonly walk_s: number;
  readonly replay_ratio: number;
};

type ReplayTime = { readonly seconds: number; readonly cpu_s: number; readonly receipts_per_s: number; readonly changed: number };

/**
 * A log to be replayed: as many receipts of decisions, each with its action and snapshot, written through the real stores into an embedded PostgreSQL in a
 * temporary directory, which is the environment's database meanwhile. `work` is given what replays it under another text.
 */
export async function withReplayLog<T>({ receipts, departments, text }: { readonly receipts: number; readonly departments: number; readonly text: string }, work: (replay: (proposed: string) => Promise<ReplayFigures>) => Promise<T>): Promise<T> {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'countersign-replay-'));
  try {
    const database = await openDatabase(path.join(temporary, 'state'), undefined);
    const pool = createPool({ url: database.url, max: 2, onIdleError: () => undefined });
    try {
      const workspace = await openWorkspace(pool, randomIds().make('workspace'), 'default');
      const stores = createStores(pool, workspace);
      const base = loadPolicy(text);
      await fill(stores, workspace, base, engineCases(base, departments, 40), receipts);
      process.env['DATABASE_URL'] = database.url;
      return await work((proposed) => measure(stores, text, proposed));
    } finally {
      await pool.end();
      await database.close();
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function measure({ log, content }: Stores, text: string, proposed: string): Promise<ReplayFigures> {
  const { size, root } = await log.head();
  const range = { from: 0, to: Number(size), since: benchNow, root, leftOut: 0 };
  const replay = async (base: string): Promise<ReplayTime> => {
    const { proof, began, seconds, cpu_s } = await timeProof(base, proposed, range);
    const { replay: report } = proof;
    if (report?.replayed !== range.to) throw new Error(`Not all ${String(range.to)} decisions were taken again: ${JSON.stringify(proof.open)}`);
    const took = seconds - (began['replaying'] ?? 0);
    return { seconds: Math.round(took * 100) / 100, cpu_s, receipts_per_s: Math.round(range.to / took), changed: report.changed };
  };
  const own = await replay(text);
  // Another digest and the same rules: what was recorded is then no answer of this base's.
  const redone = await replay(`${text}# before\n`);
  const start = performance.now();
  const nothing = (): undefined => undefined;
  const fault = await walkLog({ log, content, sha256: nodeSha256, sha256OfText: nodeSha256OfText, text: nodeBase64Text }, range, { decision: nothing, unreadable: nothing, resolved: nothing, page: nothing });
  if (fault) throw new Error(fault.error.detail);
  const walk_s = since(start);
  const replay_s = Math.max(own.seconds, redone.seconds);
  return { receipts: range.to, replay_s, own, redone, walk_s, replay_ratio: Math.round((100 * replay_s) / walk_s) / 100 };
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
