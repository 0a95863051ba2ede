import { decide } from '@/lib/engine/decide';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, emptyFrontier, rootOf, type Frontier } from '@/lib/ledger/merkle/frontier';
import { mediate } from '@/lib/mediate/mediate';
import type { ContentItem } from '@/lib/ports/content-store';
import type { LogRow } from '@/lib/ports/ledger-reader';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { nodeBase64Text } from '@/lib/server/node-base64';
import { nodeSha256OfText } from '@/lib/server/node-sha256';
import { freshContent, sealAction } from '@/lib/services/action-content';
import { decidedBody } from '@/lib/services/decision-receipt';
import type { ReplayLog, ReplayRange } from '@/lib/services/proof/replay-log';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { asJson } from '@/lib/shared/as-json';
import type { ApprovalId, Digest, ReceiptId } from '@/lib/shared/ids';
import type { Json, JsonObject } from '@/lib/shared/json';

import { noon, snapshotWith } from './engine-fixtures';
import { testWorkspace } from './ledger-builder';
import { memoryTiles } from './memory-tiles';
import { seededIds } from './ledger-harness/cast';
import { nodeSha256 as sha256, testKey } from './node-crypto';

/** A log in memory whose decisions are the engine's own, with all that taking them again takes. */
export class ReplayableLog {
  readonly #ids = seededIds('replayable');
  readonly #sign = receiptSigner({ workspace: testWorkspace, sha256, signer: testKey('plane').signer, ids: this.#ids });
  readonly #rows: LogRow[] = [];
  readonly #contents = new Map<Digest, ContentItem & { readonly value: Json }>();
  #frontier: Frontier = emptyFrontier;

  /** Decides an action and writes it down; gives its receipt, and the request where it is held. */
  async decide(policy: CompiledPolicy, agent: string, name: string, parameters: JsonObject): Promise<{ readonly receipt: ReceiptId; readonly decision: string; readonly approval: ApprovalId | null }> {
    const [tool = '', operation = ''] = name.split('.');
    const action = mediate({ tool, operation, parameters }, policy.catalogue);
    if (!action.ok) throw new Error(action.error.detail);
    const known = snapshotWith();
    const snapshot = { ...known, identity: { ...known.identity, agent } };
    const decision = decide(action.value, snapshot, policy, noon);
    const sealed = sealAction(sha256, action.value, parameters, this.#ids.salt);
    if (!sealed.ok) throw new Error(sealed.error.detail);
    const kept = freshContent(sha256, this.#ids.salt(), asJson(snapshot));
    for (const item of [...sealed.value.items, kept]) this.#contents.set(item.digest, { ...item, value: JSON.parse(item.body) as Json });
    const body = decidedBody({ sha256, decision, snapshot, snapshotDigest: kept.digest, snapshotSalt: kept.salt, policy: { revision: 1, digest: policy.digest }, epoch: 1n, seals: sealed.value.seals });
    const approval = decision.decision === 'STEP_UP' ? this.#ids.make('approval') : null;
    const receipt = await this.#sign('action_decided', noon, {
      ...body, tool, operation, action: { id: this.#ids.make('action'), digest: sealed.value.digest }, cause: 'proposed', state: approval === null ? 'denied' : 'held',
      ...(approval === null ? {} : { approval: { id: approval, basis_digest: kept.digest, expires_at: noon, quorum: 1 } }),
    }, {});
    this.#append(receipt);
    return { receipt: receipt.id, decision: decision.decision, approval };
  }

  async resolve(approval: ApprovalId, state: 'approved' | 'denied' | 'expired'): Promise<void> {
    const action = { id: this.#ids.make('action'), digest: '0'.repeat(64) as Digest };
    this.#append(await this.#sign('approval_resolved', noon, { approval, action, state, votes: [], by: { kind: 'service', id: 'plane' } }, {}));
  }

  /** What replay reads, and the whole of it. */
  get parts(): ReplayLog {
    const rows = this.#rows;
    return {
      log: { leaves: async (from, to, limit) => rows.slice(Number(from), Number(to)).slice(0, limit), byIndex: async (index) => rows[Number(index)], hashes: memoryTiles(rows.map((row) => row.leaf_hash)) },
      content: { texts: async (digests) => new Map(digests.flatMap((digest) => { const item = this.#contents.get(digest); return item ? [[digest, item]] : []; })) },
      sha256,
      sha256OfText: nodeSha256OfText, text: nodeBase64Text,
    };
  }

  get range(): ReplayRange {
    return { from: 0, to: this.#rows.length, since: noon, root: rootOf(sha256, this.#frontier), leftOut: 0 };
  }

  #append(receipt: SignedReceipt): void {
    const index = this.#rows.length;
    const leaf_hash = leafHashOf(sha256, leafText(receipt.envelope, index, previousOf(this.#rows.at(-1)?.leaf_hash)));
    this.#frontier = appendLeaf(sha256, this.#frontier, leaf_hash);
    this.#rows.push({ ...receipt, index: BigInt(index), leaf_hash });
  }
}
