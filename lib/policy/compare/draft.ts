import type { Provenance, RequestAssurance } from '@/lib/context/entry';
import type { AttributeFact, PriorAction, Snapshot } from '@/lib/context/snapshot';
import type { CanonicalAction } from '@/lib/mediate/action';
import { isId, type Digest, type IdKind, type IdOf, type SessionId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

/** The time at which everything is decided unless a rule reads the clock: a Monday noon. */
export const usualNow = Date.parse('2030-06-03T12:00:00.000Z');

/** What is said of an attribute, whoever or whatever the subjects of the action turn out to be. */
export type Said = {
  readonly name: string;
  readonly about: 'target' | 'recipients';
  readonly values: readonly Json[];
  readonly unavailable: boolean;
  /** Of the first subject only. */
  readonly firstOnly: boolean;
  readonly source: string;
  readonly ageMs: number;
};

/** A situation while it is put together, one choice after the other. */
export type Draft = {
  readonly parameters: Record<string, Json>;
  readonly identity: { human: string; service: string; agent: string; session: SessionId; role: string; scope: readonly string[]; delegation: readonly SessionId[] };
  labels: readonly string[];
  intent: Snapshot['intent'];
  history: { readonly recent: readonly PriorAction[]; readonly unseen: Readonly<Record<string, number>> };
  elapsedS: number;
  nowMs: number;
  readonly risks: { readonly name: string; readonly score: number | null; readonly missing?: string }[];
  readonly said: Said[];
  readonly provenance: Map<string, readonly Provenance[]>;
  alignment: number | null;
  /** Thousandths of what alignment is measured from that are known, and what the rest waits for. */
  evaluability: number;
  lacking: readonly string[];
  assurance: RequestAssurance;
  grants: readonly string[];
  guards: Snapshot['guards'];
};

const session = madeId('session', 'ses_0000000000000000000000');

export const newDraft = (parameters: Record<string, Json>): Draft => ({
  parameters,
  identity: { human: 'somebody@people.test', service: 'orchestrator', agent: 'an-agent', session, role: 'some-role', scope: [], delegation: [] },
  labels: [], intent: { affirmed: [], doubtful: [] }, history: { recent: [], unseen: {} }, elapsedS: 600, nowMs: usualNow, risks: [], said: [], provenance: new Map(),
  alignment: 1000, evaluability: 1000, lacking: [], assurance: 'orchestrator', grants: [], guards: [],
});

/** The snapshot of a session in which all that was chosen is so. `action` tells whom and what it is about. */
export function snapshotOf(draft: Draft, action: CanonicalAction | null, head: Digest): Snapshot {
  const { identity, history, nowMs } = draft;
  const counts: Record<string, number> = { ...history.unseen };
  for (const { tool, operation } of history.recent) counts[`${tool}.${operation}`] = (counts[`${tool}.${operation}`] ?? 0) + 1;
  return {
    version: 1,
    session: { id: session, state: 'open', opened_at: new Date(nowMs - draft.elapsedS * 1000).toISOString(), assurance: draft.assurance, head, seq: 0 },
    identity,
    identity_verified: true,
    killed: false,
    requests: draft.intent === null ? null : ['(a request)'],
    intent: draft.intent,
    prior: { counts, recent: history.recent, total: history.recent.length + Object.values(history.unseen).reduce((sum, more) => sum + more, 0) },
    labels: draft.labels,
    provenance: provenanceOf(draft),
    attributes: draft.said.flatMap((one) => factsOf(one, action, nowMs)),
    signals: signalsOf(draft),
    guards: draft.guards,
    points: [],
    grants: draft.grants,
  };
}

function signalsOf({ alignment, evaluability, lacking, risks }: Draft): Snapshot['signals'] {
  return [
    { name: 'fit', score: alignment, weight: evaluability, evidence: 'as compared' },
    ...lacking.map((missing, i) => ({ name: 'open', score: null, weight: i === 0 ? 1000 - evaluability : 0, evidence: 'as compared', missing })),
    ...risks.map(({ name, score, missing }) => ({ name, score, weight: 0, evidence: 'as compared', ...(missing === undefined ? {} : { missing }) })),
  ];
}

/** Arguments of which nothing was chosen come from the request, or from where all the rest does. */
function provenanceOf({ parameters, provenance }: Draft): Snapshot['provenance'] {
  const rest = provenance.get('*') ?? ['request'];
  const leaves: { readonly path: string; readonly source: Provenance }[] = [];
  for (const name of Object.keys(parameters)) {
    const own = [...provenance].filter(([path]) => path.split('.')[0] === name);
    if (own.length === 0) rest.forEach((source, i) => leaves.push({ path: i === 0 ? name : `${name}[${String(i)}]`, source }));
    for (const [path, sources] of own) sources.forEach((source, i) => leaves.push({ path: i === 0 ? path : `${path}[${String(i)}]`, source }));
  }
  return leaves;
}

function factsOf({ name, about, values, unavailable, firstOnly, source, ageMs }: Said, action: CanonicalAction | null, nowMs: number): readonly AttributeFact[] {
  if (!action) return [];
  const subjects = subjectsOf(action, name, about);
  const observed_at = new Date(nowMs - ageMs).toISOString();
  const [only = null] = values;
  const value = values.length > 1 ? values : only;
  return (firstOnly ? subjects.slice(0, 1) : subjects).map((subject) => ({ subject, name, value: unavailable ? null : value, unavailable, source, observed_at }));
}

/** Whom and what an attribute of an action is about. */
export function subjectsOf({ tool, facts: { target, tables, paths, recipients } }: CanonicalAction, name: string, about: Said['about']): readonly string[] {
  if (about === 'recipients') return recipients.map((address) => `recipient:${address}`);
  if (name.startsWith('effect.') || name.startsWith('precondition.')) return ['action:this'];
  return target !== undefined ? [target] : [...tables.map((table) => `${tool}:${table}`), ...paths.map((path) => `files:${path}`)];
}

export function madeId<Kind extends IdKind>(kind: Kind, text: string): IdOf<Kind> {
  if (!isId(kind, text)) throw new Error(`${text} is no ${kind} id.`);
  return text;
}
