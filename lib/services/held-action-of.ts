import { leavesOf, isWithin } from '@/lib/approvals/leaves';
import type { HeldAction, HeldArgument, HeldRecipient } from '@/lib/approvals/held-action';
import { personByEmail } from '@/lib/authority/roster-lookup';
import type { ShownSteps } from '@/lib/context/shown-steps';
import type { Snapshot } from '@/lib/context/snapshot';
import type { ApprovalDemand, Decision } from '@/lib/engine/decision';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { ActionId, ApprovalId, PersonId } from '@/lib/shared/ids';
import { toBase64 } from '@/lib/shared/encoding';
import { isId } from '@/lib/shared/ids';
import { isJsonArray } from '@/lib/shared/json';

import type { InForce, PolicyInForce } from './in-force';


/** Everything a person will judge, as it stands now: copied from the decision, its snapshot and the session's chain. */
export function heldActionOf(parts: {
  readonly approval: ApprovalId;
  readonly id: ActionId;
  readonly action: CanonicalAction;
  readonly decision: Decision;
  readonly demand: ApprovalDemand;
  readonly snapshot: Snapshot;
  readonly policy: PolicyInForce;
  readonly inForce: InForce;
  /** Requests and latest steps of the session. */
  readonly shown: Pick<ShownSteps, 'requests' | 'steps'>;
  /** What was asked back about it, and answered. */
  readonly asked?: HeldAction['asked'];
  readonly reason: string | null;
  readonly heldAt: string;
  /** 16 random bytes. */
  readonly salt: Uint8Array;
  readonly expiresAt: string;
}): HeldAction {
  const { action, decision, demand, snapshot, policy, inForce } = parts;
  const transformed = decision.transformed ?? null;
  const { human } = snapshot.identity;
  const registeredBy = inForce.agents.get(snapshot.identity.agent)?.registered_by ?? null;
  return {
    approval: parts.approval,
    session: snapshot.session.id,
    action_id: parts.id,
    action: { tool: action.tool, operation: action.operation, parameters: action.parameters },
    transformed,
    effect: action.facts.effect,
    impact: decision.impact,
    rules: decision.determining,
    signals: decision.signals.map(({ name, score, weight, evidence }) => ({ name, score, weight, evidence })),
    alignment: decision.alignment,
    confidence: confidenceOf(decision.alignment, policy.compiled),
    evaluability: decision.evaluability,
    arguments: argumentsOf(action, transformed?.parameters ?? action.parameters, decision, snapshot),
    recipients: recipientsOf(action, snapshot, policy.compiled),
    labels: snapshot.labels,
    identity: {
      human,
      human_person: (inForce.roster && personByEmail(inForce.roster.roster, human)?.id) ?? null,
      service: snapshot.identity.service,
      agent: snapshot.identity.agent,
      registered_by: registeredBy !== null && isId('person', registeredBy) ? (registeredBy satisfies PersonId) : null,
      role: snapshot.identity.role,
      scope: snapshot.identity.scope,
      delegation: snapshot.identity.delegation,
    },
    requests: parts.shown.requests.map((request) => ({ ...request })),
    agent_reason: parts.reason,
    timeline: [
      ...parts.shown.steps.map((step) => ({ ...step })),
      { at: parts.heldAt, kind: 'held', subject: `${action.tool}.${action.operation}`, labels: snapshot.labels },
    ],
    attributes: snapshot.attributes.map((fact) => ({ ...fact })),
    preconditions: snapshot.attributes
      .filter(({ subject, name, unavailable }) => name === 'precondition.digest' && subject === `action:${parts.id}` && !unavailable)
      .map(({ name, value }) => ({ name, value })),
    approvers: {
      groups: demand.approvers, all_groups: demand.all_groups, quorum: demand.quorum, separation: demand.separation,
      ...(demand.escalate ? { escalate: { to: demand.escalate.to, after_s: demand.escalate.after_s } } : {}),
    },
    policy: { revision: policy.revision, digest: policy.digest },
    ...(parts.asked === undefined || parts.asked.length === 0 ? {} : { asked: parts.asked }),
    held_at: parts.heldAt,
    salt: toBase64(parts.salt),
    expires_at: parts.expiresAt,
  };
}

function confidenceOf(alignment: number | null, { confidence }: CompiledPolicy): HeldAction['confidence'] {
  if (alignment === null) return 'unknown';
  if (alignment >= confidence.high) return 'high';
  return alignment < confidence.low ? 'low' : 'medium';
}

function argumentsOf(
  action: CanonicalAction,
  parameters: CanonicalAction['parameters'],
  decision: Decision,
  snapshot: Snapshot,
): readonly HeldArgument[] {
  const changed = decision.transformed?.changes ?? [];
  return leavesOf(parameters).map(({ path, value }) => {
    const role = action.entry.parameters[/^[^.[]+/.exec(path)?.[0] ?? '']?.role;
    const change = changed.find((one) => isWithin(path, one.path));
    const found = snapshot.provenance.find((one) => one.path === path) ?? snapshot.provenance.find((one) => isWithin(path, one.path));
    const source = change ? 'policy' : (found?.source ?? 'nowhere');
    const where = change ? change.rule : found?.where;
    return { path, value, source, ...(where === undefined ? {} : { where }), ...(role === undefined ? {} : { role }) };
  });
}

function recipientsOf(action: CanonicalAction, snapshot: Snapshot, { internalDomains }: CompiledPolicy): readonly HeldRecipient[] {
  const known = new Set(
    snapshot.attributes.filter(({ name, unavailable }) => name === 'known_recipients' && !unavailable).flatMap(({ value }) => (isJsonArray(value) ? value : [value])),
  );
  return action.facts.recipients.map((address) => {
    const domain = address.slice(address.lastIndexOf('@') + 1);
    if (internalDomains === null) return { address, standing: 'unknown' };
    if (internalDomains.some((own) => domain === own || domain.endsWith(`.${own}`))) return { address, standing: 'internal' };
    const resembled = internalDomains.find((own) => resembles(domain, own));
    if (resembled !== undefined) return { address, standing: 'look_alike', resembles: resembled };
    return { address, standing: known.has(address) ? 'known' : 'external' };
  });
}

/** One letter added, dropped or replaced, or two neighbours swapped: what an eye passes over. */
function resembles(domain: string, own: string): boolean {
  if (domain === own || Math.abs(domain.length - own.length) > 1) return false;
  let start = 0;
  while (start < domain.length && domain[start] === own[start]) start++;
  let end = 0;
  while (end < Math.min(domain.length, own.length) - start && domain.at(-1 - end) === own.at(-1 - end)) end++;
  const [left, right] = [domain.length - start - end, own.length - start - end];
  return Math.max(left, right) <= 1 || (left === 2 && right === 2 && domain[start] === own[start + 1] && domain[start + 1] === own[start]);
}
