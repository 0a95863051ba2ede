import { applyEntry } from '@/lib/context/apply-entry';
import type { ContextEntry } from '@/lib/context/entry';
import { entryHash } from '@/lib/context/entry-hash';
import { childState, emptyState, type Lineage, type SessionState } from '@/lib/context/session-state';
import { takeSnapshot } from '@/lib/context/take-snapshot';
import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Snapshot } from '@/lib/context/snapshot';
import { contentItem, type ContentItem } from '@/lib/ledger/content';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { CanonicalAction } from '@/lib/mediate/action';
import { mediate } from '@/lib/mediate/mediate';
import { sealAction } from '@/lib/services/action-content';
import { decidedBody } from '@/lib/services/decision-receipt';
import { later } from '@/lib/services/later';
import { asJson } from '@/lib/shared/as-json';
import type { ActionId, Digest, GrantId, SessionId } from '@/lib/shared/ids';
import type { Json, JsonObject } from '@/lib/shared/json';

import { policyFrom } from '../engine-fixtures';
import { nodeSha256 as sha256 } from '../node-crypto';
import type { Teller, ToldPolicy } from './teller';

export const human = 'requester@harbor.example';
export const agent = 'helper';

export type Judged = {
  readonly id: ActionId;
  readonly action: CanonicalAction;
  readonly digest: Digest;
  readonly effective: Digest;
  readonly decision: Decision;
  readonly snapshot: Snapshot;
  readonly body: ReturnType<typeof decidedBody> & Pick<ReceiptPredicate<'action_decided'>, 'tool' | 'operation' | 'action'> & { readonly transformed_digest?: Digest };
};

/** A session with the context that it really has: decisions in it are the engine's own. */
export class ToldSession {
  readonly state: SessionState;
  private readonly compiled = new Map<string, CompiledPolicy>();
  private readonly openedAt: string;

  constructor(
    readonly teller: Teller,
    readonly id: SessionId,
    private readonly under?: { readonly parent: ToldSession; readonly lineage: Lineage },
  ) {
    this.state = under ? childState(under.parent.state, id, under.lineage) : emptyState(id);
    this.openedAt = teller.now;
  }

  /** The chain's head as receipts state it. */
  get head(): { readonly context_head: Digest; readonly context_seq: number } {
    return { context_head: this.state.head ?? ('0'.repeat(64) as Digest), context_seq: this.state.seq };
  }

  /** Takes a step; gives the head after it. */
  step(entry: ContextEntry): ToldSession['head'] {
    const seq = this.state.seq + 1;
    applyEntry(this.state, { seq, hash: entryHash(sha256, this.state.head, entry, seq), entry });
    return this.head;
  }

  policy({ text, digest }: ToldPolicy): CompiledPolicy {
    const known = this.compiled.get(digest) ?? policyFrom(text);
    this.compiled.set(digest, known);
    return known;
  }

  /** What the engine says of an action here and now, under the policy in force; its contents are kept. */
  judge(tool: string, operation: string, parameters: JsonObject, more: { readonly again?: Judged; readonly id?: ActionId; readonly grants?: readonly GrantId[]; readonly killed?: boolean } = {}): Judged {
    const { teller } = this;
    const inForce = teller.policies.at(-1);
    if (!inForce) throw new Error('No policy is in force yet.');
    const policy = this.policy(inForce);
    const mediated = mediate({ tool, operation, parameters }, policy.catalogue);
    if (!mediated.ok) throw new Error(mediated.error.detail);
    const action = mediated.value;
    const id = more.again?.id ?? more.id ?? teller.ids.make('action');
    const identity = { human, service: 'desk', agent, session: this.id, role: 'assistant', scope: [], delegation: this.under?.lineage.delegation.map(({ session }) => session) ?? [] };
    const snapshot = takeSnapshot(this.state, action, {
      now: teller.now, session: { state: 'open', opened_at: this.openedAt }, identity, identityVerified: true, killed: more.killed ?? false,
      grants: more.grants ?? [], guards: [], points: [], information: policy.information, internalDomains: policy.internalDomains, subjects: [`action:${id}`],
    });
    const decision = decide(action, snapshot, policy, teller.now);
    const sealed = more.again ? { digest: more.again.digest, seals: new Map<string, Digest>() } : this.seal(action, parameters);
    const changed = decision.transformed && decision.decision !== 'DENY' ? this.seal(action, decision.transformed.parameters) : undefined;
    const kept = contentItem(sha256, teller.ids.salt(), asJson(snapshot));
    this.keep(kept);
    const body = decidedBody({
      sha256, decision, snapshot, snapshotDigest: kept.digest, snapshotSalt: kept.salt, policy: { revision: inForce.revision, digest: inForce.digest }, epoch: 1n, seals: sealed.seals,
    });
    // Decided again, an action keeps the digest that it has.
    const digest = more.again?.digest ?? sealed.digest;
    const effective = changed?.digest ?? digest;
    return {
      id, action, digest, effective, decision, snapshot,
      body: { ...body, tool: action.tool, operation: action.operation, action: { id, digest }, ...(effective === digest ? {} : { transformed_digest: effective }) },
    };
  }

  /** The permit for what was judged, entering the context. */
  permit({ id, action, effective, decision }: Judged, ttl: number, grants: readonly GrantId[] = []) {
    const { teller } = this;
    const after = this.step({
      kind: 'permit', at: teller.now, action: id, tool: action.tool, operation: action.operation, effect: action.facts.effect, decision: decision.decision,
      labels: [], recipients: action.facts.recipients, parameters: action.parameters, salt: Buffer.from(teller.ids.salt()).toString('base64'),
    });
    return {
      id: teller.ids.make('permit'), expires_at: later(teller.now, ttl), action_digest: effective,
      obligations: decision.obligations.map(({ kind, value }) => ({ kind, value })), epoch: 1, ...after, ...(grants.length > 0 ? { grants: [...grants] } : {}),
    };
  }

  private seal(action: CanonicalAction, parameters: JsonObject) {
    const sealed = sealAction(sha256, action, parameters, this.teller.ids.salt);
    if (!sealed.ok) throw new Error(sealed.error.detail);
    for (const { digest, salt, body } of sealed.value.items) this.keep({ digest, salt, value: JSON.parse(body) as Json });
    return sealed.value;
  }

  private keep(item: ContentItem): void {
    this.teller.contents.push(item);
  }
}
