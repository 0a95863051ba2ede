import { IntentReader } from '@/lib/context/read-intent';
import type { Snapshot } from '@/lib/context/snapshot';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { isId, type IdKind, type IdOf } from '@/lib/shared/ids';

import type { Given } from './policy-tests-schema';

/**
 * The snapshot of a session that has seen what is given: for decisions that nobody asked a plane for. Deterministic: the clock
 * stands still at the given time.
 * How well the action fits the request is stated, not measured, so that a policy's test does not move with the signals.
 */
export function givenSnapshot(given: Given, policy: CompiledPolicy): Snapshot {
  const minutesAgo = (minutes: number): string => new Date(Date.parse(given.at) - minutes * 60_000).toISOString();
  const intent = new IntentReader();
  if (given.request !== undefined) intent.read(given.request);
  const prior = given.prior.map((one, i) => {
    const { action, labels, minutes_ago, amount } = typeof one === 'string' ? { action: one, labels: [], minutes_ago: 5, amount: undefined } : one;
    const dot = action.lastIndexOf('.');
    const tool = policy.catalogue.aliases.get(action.slice(0, dot)) ?? action.slice(0, dot);
    const operation = action.slice(dot + 1);
    const effect = policy.catalogue.entries.get(`${tool}.${operation}`)?.effect ?? 'execute';
    return { action: made('action', `act_${String(i).padStart(22, '0')}`), tool, operation, effect, at: minutesAgo(minutes_ago), labels, ...(amount === undefined ? {} : { amount }) };
  });
  const counts: Record<string, number> = {};
  for (const { tool, operation } of prior) counts[`${tool}.${operation}`] = (counts[`${tool}.${operation}`] ?? 0) + 1;
  const session = made('session', 'ses_0000000000000000000000');
  const known = Math.round(given.evaluability * 1000);
  return {
    version: 1,
    session: { id: session, state: 'open', opened_at: minutesAgo(given.elapsed_minutes), assurance: given.request === undefined ? null : given.assurance, head: policy.digest, seq: prior.length },
    identity: { human: given.human, service: 'orchestrator', agent: 'agent', session, role: given.role, scope: given.scope, delegation: [] },
    identity_verified: true,
    killed: false,
    requests: given.request === undefined ? null : [given.request],
    intent: given.request === undefined ? null : intent.intent(),
    prior: { counts, recent: prior, total: prior.length },
    labels: given.labels,
    provenance: Object.entries(given.provenance).map(([path, source]) => ({ path, source })),
    attributes: given.attributes.map((attribute) => ({ ...attribute, observed_at: given.at })),
    signals: [
      { name: 'stated', score: given.alignment === null ? null : Math.round(given.alignment * 1000), weight: known, evidence: 'the test says so' },
      ...(known < 1000 ? [{ name: 'missing', score: null, weight: 1000 - known, evidence: 'the test says so', missing: 'target_ownership' }] : []),
      ...Object.entries(given.risk).map(([name, risk]) => ({ name, score: risk === null ? null : 1000 - Math.round(risk * 1000), weight: 0, evidence: 'the test says so' })),
    ],
    guards: [],
    points: [],
    grants: given.grants,
  };
}

function made<Kind extends IdKind>(kind: Kind, text: string): IdOf<Kind> {
  if (!isId(kind, text)) throw new Error(`${text} is no ${kind} id.`);
  return text;
}
