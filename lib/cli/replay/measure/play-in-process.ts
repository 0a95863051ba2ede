import { applyEntry } from '@/lib/context/apply-entry';
import { entryHash } from '@/lib/context/entry-hash';
import type { ContextEntry } from '@/lib/context/entry';
import { permitLabels } from '@/lib/context/permit-labels';
import { emptyState } from '@/lib/context/session-state';
import type { Snapshot } from '@/lib/context/snapshot';
import { takeSnapshot } from '@/lib/context/take-snapshot';
import { factsAbout } from '@/lib/cli/replay/facts-about';
import type { KnownWorld } from '@/lib/cli/replay/known-world';
import type { RecordedCall, RecordedTrace } from '@/lib/cli/replay/recorded-trace';
import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { guardOutput } from '@/lib/guards/guard-output';
import { inspectAction } from '@/lib/guards/inspect-action';
import { mediate } from '@/lib/mediate/mediate';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isId, type ActionId, type IdKind, type IdOf } from '@/lib/shared/ids';
import { isJsonObject } from '@/lib/shared/json';

/** A call and what was decided of it; null where the action was refused before it could be decided. */
export type PlayedCall = { readonly effect: string; readonly decision: Decision; readonly snapshot: Snapshot } | null;

const now = '2030-01-01T00:00:00.000Z';
const source = 'ip:directory';

/**
 * The same as a plane would decide, without one: for measuring signals over many traces, which a plane does not show to agents. What
 * is permitted joins the context with its output, as on the plane; what is held shows nothing.
 */
export function playInProcess(trace: RecordedTrace, policy: CompiledPolicy, world: KnownWorld | null, recipients?: ReadonlySet<string>): readonly PlayedCall[] {
  const session = made('session', `ses_${'0'.repeat(22)}`);
  const state = emptyState(session);
  const put = (entry: ContextEntry): void => {
    const seq = state.seq + 1;
    applyEntry(state, { seq, hash: entryHash(nodeSha256, state.head, entry, seq), entry });
  };
  put({ kind: 'request', at: now, text: trace.request, assurance: 'orchestrator' });
  return trace.calls.map((call, at): PlayedCall => {
    for (const { subject, name, value } of world ? factsAbout(trace.suite, call, world, recipients) : []) {
      const unavailable = isJsonObject(value) && value.unavailable === true;
      put({ kind: 'attribute', at: now, subject, name, value: unavailable ? null : value, unavailable, source, observed_at: now });
    }
    const mediated = mediate({ tool: trace.suite, operation: call.tool, parameters: call.parameters }, policy.catalogue);
    if (!mediated.ok) return null;
    const action = mediated.value;
    const id = made('action', `act_${String(at).padStart(22, '0')}`);
    const snapshot = takeSnapshot(state, action, {
      now, session: { state: 'open', opened_at: now, head: state.head }, subjects: [`action:${id}`],
      identity: { human: world?.human ?? 'customer@replay.example', service: 'desk', agent: 'replayed', session, role: 'assistant', scope: [], delegation: [] },
      identityVerified: true, killed: false, guards: inspectAction(action), points: [], grants: [], information: policy.information, internalDomains: policy.internalDomains,
    });
    const decision = decide(action, snapshot, policy, now);
    if (decision.decision === 'ALLOW' || decision.decision === 'MODIFY') run(put, id, call, action, decision, policy);
    return { effect: action.facts.effect, decision, snapshot };
  });
}

function run(
  put: (entry: ContextEntry) => void,
  id: ActionId,
  call: RecordedCall,
  action: Parameters<typeof inspectAction>[0],
  { decision }: Decision,
  policy: CompiledPolicy,
): void {
  const { tool, operation, entry, facts, parameters } = action;
  const effects = facts.effects.length > 1 ? { effects: facts.effects } : {};
  put({ kind: 'permit', at: now, action: id, tool, operation, effect: entry.effect, ...effects, decision, labels: permitLabels(action, policy.defaults.unclassified), recipients: facts.recipients, parameters });
  const output = call.output === undefined ? '' : typeof call.output === 'string' ? call.output : canonicalJson(call.output);
  const { labels, injectionScore } = guardOutput(output);
  const trusted = policy.catalogue.entries.get(`${tool}.${operation}`)?.trusted === true;
  put({ kind: 'outcome', at: now, action: id, status: call.error === undefined ? 'succeeded' : 'failed', reporter: 'enforcement_point', trusted, output, labels, injection: injectionScore });
}

function made<Kind extends IdKind>(kind: Kind, text: string): IdOf<Kind> {
  if (!isId(kind, text)) throw new Error(`${text} is no ${kind} id.`);
  return text;
}
