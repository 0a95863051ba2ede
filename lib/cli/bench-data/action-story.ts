import { engineVersion } from '@/lib/engine/engine-version';
import type { ReceiptBodyOf, ReceiptColumns } from '@/lib/services/sign-receipt';
import type { ActionId, ApprovalId, DeferralId, Digest, PermitId, PersonId, ReceiptId } from '@/lib/shared/ids';

import { benchTools, type BenchTool } from './bench-world';
import { pickSkewed, pickWeighted, type RandomSource } from './random-source';
import { signedVote } from './signed-vote';
import type { SessionAt, Step, StoryWorld } from './story-world';

type Decided = ReceiptBodyOf<'action_decided'>;
type Told = (at: string) => Step;

const enforcementPoint = { kind: 'enforcement_point', id: 'gateway' } as const;
const plane = { kind: 'service', id: 'plane' } as const;

/** Seconds for which requests and deferrals wait, and permits last. */
const waits = 8 * 3600;
const permitLife = 3600;

/** What becomes of one proposed action, in steps. Each is made when its turn comes: the context may have grown meanwhile. */
export class ActionStory {
  readonly #tool: BenchTool;
  readonly #id: ActionId;
  readonly #digest: Digest;
  readonly #permit: PermitId;
  readonly #approval: ApprovalId;
  readonly #deferral: DeferralId;
  readonly #basis: Digest;
  readonly #votes: ReceiptId[] = [];
  #decided: ReceiptId | undefined;
  #judge: PersonId | undefined;
  /** When the request or the deferral ends, as the decision says. */
  #ends = '';

  constructor(
    private readonly world: StoryWorld,
    private readonly random: RandomSource,
    private readonly session: SessionAt,
  ) {
    this.#tool = pickWeighted(random, benchTools);
    this.#id = world.ids.make('action');
    this.#digest = world.digest();
    this.#permit = world.ids.make('permit');
    this.#approval = world.ids.make('approval');
    this.#deferral = world.ids.make('deferral');
    this.#basis = world.digest();
  }

  steps(): readonly Told[] {
    const { deny, hold, defer, modify } = this.#tool;
    const fate = this.random() * 100;
    if (fate < deny) return [(at) => this.#decide(at, 'DENY')];
    if (fate < deny + hold) return [(at) => this.#decide(at, 'STEP_UP'), () => this.#requested(), ...this.#answers()];
    if (fate < deny + hold + defer) return [(at) => this.#decide(at, 'DEFER'), () => this.#deferred(), ...this.#supplied()];
    return [(at) => this.#decide(at, fate < deny + hold + defer + modify ? 'MODIFY' : 'ALLOW'), ...this.#runs()];
  }

  #answers(): readonly Told[] {
    const answer = this.random();
    if (answer < 0.7) return [(at) => this.#voted(at), () => this.#resolved('approved'), (at) => this.#issued(at), ...this.#runs()];
    if (answer < 0.9) return [() => this.#refused(), () => this.#resolved('denied')];
    return [() => this.#resolved('expired')];
  }

  #supplied(): readonly Told[] {
    const asked: Told[] = [() => this.#attempted(1, this.random() < 0.2 ? 'failed' : 'supplied')];
    if (this.random() < 0.2) return [() => this.#attempted(1, 'failed'), () => this.#attempted(2, 'failed'), () => this.#deferralEnded('expired')];
    return [...asked, (at) => this.#decide(at, 'ALLOW', 'supplied'), () => this.#deferralEnded('decided'), ...this.#runs()];
  }

  #runs(): readonly Told[] {
    if (this.random() < 0.04) return [];
    return this.random() < 0.01 ? [() => this.#redeemed()] : [() => this.#redeemed(), () => this.#outcome()];
  }

  #columns(): ReceiptColumns {
    return { session: this.session.id, action: this.#id, agent: this.session.agent, tool: this.#tool.tool, operation: this.#tool.operation };
  }

  #decide(at: string, decision: Decided['decision'], cause: Decided['cause'] = 'proposed'): Step {
    const { world, session } = this;
    const { tool, operation, impact, labels } = this.#tool;
    const id = world.ids.make('receipt');
    const replaces = this.#decided;
    this.#decided = id;
    const permitted = decision === 'ALLOW' || decision === 'MODIFY';
    const saw = { context_head: session.head, context_seq: session.seq };
    const rules = rulesOf(this.#tool, decision, this.random);
    const expires_at = world.later(at, waits);
    this.#ends = expires_at;
    const transformed = decision === 'MODIFY' ? world.digest() : undefined;
    const body: Decided = {
      alignment: Math.floor(this.random() * 400) + 600,
      attributes: this.random() < 0.3 ? [{ name: 'owner', observed_at: at, source: 'ip:records', subject: `${tool}:${this.#id}`, value_digest: world.digest() }] : [],
      code: codes[decision],
      decision,
      determining: rules.map((rule) => ({ id: rule, read: [{ field: 'data_classification', value: [...labels] }, { field: 'session.prior.total', value: session.seq }] })),
      engine_version: engineVersion,
      epoch: world.policy.revision,
      evaluability: 1000,
      identity: { human: session.human, service: world.service, agent: session.agent, session: session.id, role: session.role, scope: [], delegation: [] },
      impact,
      policy: world.policy,
      reason: reasons[decision],
      signals: [
        { name: 'verb', score: Math.floor(this.random() * 1000), weight: 300 },
        { name: 'target', score: Math.floor(this.random() * 1000), weight: 250 },
        { name: 'semantic_distance', score: null, weight: 0 },
        { name: 'sequence', score: Math.floor(this.random() * 1000), weight: 150 },
      ],
      snapshot_digest: world.digest(),
      tables: [],
      unknown: decision === 'DEFER' ? [{ id: `${tool}-owner-known`, missing: ['target.owner'] }] : [],
      ...saw,
      tool,
      operation,
      action: { id: this.#id, digest: this.#digest },
      cause,
      ...(replaces ? { replaces } : {}),
      state: permitted ? 'permitted' : decision === 'STEP_UP' ? 'held' : decision === 'DEFER' ? 'deferred' : 'denied',
      ...(transformed ? { transformed_digest: transformed } : {}),
      ...(permitted ? { permit: this.#terms(at, transformed ?? this.#digest) } : {}),
      ...(decision === 'STEP_UP' ? { approval: { id: this.#approval, basis_digest: this.#basis, expires_at, quorum: 1 } } : {}),
      ...(decision === 'DEFER' ? { deferral: { id: this.#deferral, missing: [], expires_at } } : {}),
    };
    return { kind: 'action_decided', id, body, columns: { ...this.#columns(), decision, labels, rules, revision: world.policy.revision } };
  }

  /** A permit lengthens the session's context: what it licenses counts for every later decision. */
  #terms(at: string, action_digest: Digest): NonNullable<Decided['permit']> {
    this.world.lengthen(this.session);
    const { head, seq } = this.session;
    const obligations = this.random() < 0.1 ? [{ kind: 'notify', value: 'owner' }] : [];
    return { id: this.#permit, expires_at: this.world.later(at, permitLife), action_digest, obligations, context_head: head, context_seq: seq, epoch: this.world.policy.revision };
  }

  #requested(): Step {
    const body = {
      approval: this.#approval, session: this.session.id, action: this.#action(), basis_digest: this.#basis, held_digest: this.world.digest(),
      approvers: ['approver'], quorum: 1, separation: true, excluded: [], expires_at: this.#ends,
    };
    return { kind: 'approval_requested', body, columns: this.#columns() };
  }

  #voted(at: string): Step {
    const { approver, digest, ids } = this.world;
    const id = ids.make('receipt');
    this.#votes.push(id);
    this.#judge = approver.person;
    const body = signedVote(approver, { approval: this.#approval, action: this.#action(), basis_digest: this.#basis, view_digest: digest(), signed_at: at, nonce: digest().slice(32) });
    return { kind: 'approval_voted', id, body, columns: { ...this.#columns(), person: approver.person }, by: 'console' };
  }

  #refused(): Step {
    const person = pickSkewed(this.random, this.world.deniers);
    const id = this.world.ids.make('receipt');
    this.#votes.push(id);
    this.#judge = person;
    const body = {
      approval: this.#approval, action: this.#action(), person, verdict: 'deny', basis_digest: this.#basis, reason: 'Not without asking the customer first.',
      statement: `{"code":"not_wanted","request":"${this.#approval}"}`,
    } as const;
    return { kind: 'approval_voted', id, body, columns: { ...this.#columns(), person }, by: 'console' };
  }

  #resolved(state: 'approved' | 'denied' | 'expired'): Step {
    const by = this.#judge === undefined ? plane : ({ kind: 'person', id: this.#judge } as const);
    const body = { approval: this.#approval, action: this.#action(), state, votes: this.#votes, by };
    return { kind: 'approval_resolved', body, columns: this.#columns(), ...(state === 'expired' ? {} : { by: 'console' as const }) };
  }

  #issued(at: string): Step {
    const body = { session: this.session.id, agent: this.session.agent, action: this.#action(), approval: this.#approval, permit: this.#terms(at, this.#digest) };
    return { kind: 'permit_issued', body, columns: this.#columns() };
  }

  #deferred(): Step {
    const body = { deferral: this.#deferral, session: this.session.id, action: this.#action(), missing: [], conflict: [], expires_at: this.#ends };
    return { kind: 'deferral_opened', body, columns: this.#columns() };
  }

  #attempted(attempt: 1 | 2, outcome: 'supplied' | 'failed'): Step {
    const body = { deferral: this.#deferral, action: this.#action(), subject: `${this.#tool.tool}:${this.#id}`, attribute: 'owner', source: 'ip:records', attempt, outcome };
    return { kind: 'deferral_attempted', body, columns: this.#columns() };
  }

  #deferralEnded(outcome: 'decided' | 'expired'): Step {
    const decided = outcome === 'decided' && this.#decided !== undefined ? { decided: this.#decided } : {};
    return { kind: 'deferral_resolved', body: { deferral: this.#deferral, action: this.#action(), outcome, by: plane, ...decided }, columns: this.#columns() };
  }

  #redeemed(): Step {
    const { id, head, seq } = this.session;
    const body = { session: id, permit: this.#permit, action: this.#action(), by: enforcementPoint, context_head: head, context_seq: seq };
    return { kind: 'permit_redeemed', body, columns: this.#columns() };
  }

  #outcome(): Step {
    const fate = this.random();
    this.world.lengthen(this.session);
    const { id, head, seq } = this.session;
    const status = fate < 0.94 ? 'succeeded' : fate < 0.985 ? 'failed' : 'unknown';
    const body = {
      session: id, permit: this.#permit, action: this.#action(), status, labels: [...this.#tool.labels], trusted: false, late: false,
      ...(status === 'succeeded' ? { output_digest: this.world.digest() } : {}),
      reported_by: status === 'unknown' ? plane : enforcementPoint, context_head: head, context_seq: seq,
    } as const;
    return { kind: 'outcome_reported', body, columns: { ...this.#columns(), labels: this.#tool.labels } };
  }

  #action(): Decided['action'] {
    return { id: this.#id, digest: this.#digest };
  }
}

/** Every tool has rules of its own; now and then two determine a decision together. */
function rulesOf({ tool, operation }: BenchTool, decision: Decided['decision'], random: RandomSource): readonly string[] {
  const own = `${tool}-${operation}-${decision.toLowerCase().replace('_', '-')}`;
  return random() < 0.1 ? ['baseline', own] : [own];
}

const codes: Readonly<Record<Decided['decision'], Decided['code']>> = {
  ALLOW: 'allowed', DENY: 'denied_by_rule', MODIFY: 'modified', STEP_UP: 'needs_approval', DEFER: 'needs_context',
};

const reasons: Readonly<Record<Decided['decision'], string>> = {
  ALLOW: 'Within what was asked for.',
  DENY: 'This goes beyond what was asked for.',
  MODIFY: 'Allowed once it is capped.',
  STEP_UP: 'A person has to countersign this.',
  DEFER: 'Nobody has said yet who owns this.',
};
