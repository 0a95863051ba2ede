import type { CanonicalAction } from '@/lib/mediate/action';
import { linkSubjects, resolveLinks } from '@/lib/mediate/resolve-links';
import { isDigest, type ActionId, type Digest } from '@/lib/shared/ids';
import { parseTime } from '@/lib/shared/parse-time';

import { argumentProvenance } from './argument-provenance';
import { asEvidence, type Embedding } from './embedding';
import { priorKept, type SessionState } from './session-state';
import { measureSignals } from './measure-signals';
import type { Relatives } from './relatives';
import { targetParameter } from './target-kind';
import type { AttributeFact, GuardFinding, Identity, PointAnswer, Snapshot } from './snapshot';

/** Who may say an attribute, and for how long an observation counts. Seconds; null: for ever. */
export type InformationRules = ReadonlyMap<string, { readonly from: readonly string[]; readonly max_age_s: number | null }>;

/** Everything that was looked up for this decision. Times are ISO 8601 UTC with milliseconds. */
export type Evidence = {
  readonly now: string;
  /** As its row says. A head, when given, must be the state's. */
  readonly session: { readonly state: 'open' | 'closed' | 'expired'; readonly opened_at: string; readonly head?: Digest | null };
  /** Further subjects whose attributes count, such as `action:<id>`. */
  readonly subjects?: readonly string[];
  readonly identity: Identity;
  readonly identityVerified: boolean;
  readonly killed: boolean;
  readonly grants: readonly string[];
  readonly guards: readonly GuardFinding[];
  readonly points: readonly PointAnswer[];
  readonly information: InformationRules;
  /** Null: nobody said which domains are the organisation's own. */
  readonly internalDomains: readonly string[] | null;
  /** Labels that are kept for the resource across sessions. */
  readonly resourceLabels?: readonly string[];
  /** Which kind of target `<tool>:<value>` means; null: none. Left out: whichever the action takes. */
  readonly plainTarget?: string | null;
  /** What other sessions of the family were permitted. */
  readonly relatives?: Pick<Relatives, 'counts' | 'recent' | 'total'>;
  /** Paths of arguments that the policy set itself. */
  readonly byPolicy?: readonly string[];
  /** The action is decided again after its permit: that permit is no prior action of it. */
  readonly excludeAction?: ActionId;
  /** False: no rule for this operation reads prior actions one by one, so the snapshot shows their counts alone. */
  readonly recent?: boolean;
  /** What an embeddings endpoint said of the action. Left out where none is configured, or there is no request to compare with. */
  readonly embedding?: Embedding;
};

/** How far ahead an information point's clock may be before its observation is not believed. */
const aheadMs = 60_000;
const shownPrior = priorKept - 1;

/**
 * The evidence and the session, as the one value that `decide` reads. Takes time for the action, not for the session.
 * Throws when the state is not the session's at that head: deciding without an action that counts would be a race lost silently.
 */
export function takeSnapshot(state: SessionState, action: CanonicalAction, evidence: Evidence): Snapshot {
  const { excludeAction, session } = evidence;
  if (session.head !== undefined && session.head !== state.head) throw new Error(`The state of ${state.id} is not at the session's head.`);
  const recent = evidence.recent === false ? [] : recentOf(state, evidence);
  const intent = state.requests.length === 0 ? null : state.intent.intent();
  const labels = labelsOf(state, evidence);
  const provenance = argumentProvenance(action, state.values, new Set(evidence.byPolicy));
  const attributes = usableAttributes(state, action, evidence);
  const { now, internalDomains, identity } = evidence;
  const embedding = evidence.embedding && asEvidence(evidence.embedding, state.embedded);
  // In canonical order, like everything below it: every decision's snapshot is written whole.
  const snapshot: Snapshot = {
    attributes,
    grants: evidence.grants,
    guards: evidence.guards,
    identity,
    identity_verified: evidence.identityVerified,
    intent,
    killed: evidence.killed,
    labels,
    points: evidence.points,
    prior: priorOf(state, recent, evidence),
    provenance,
    requests: state.requests.length === 0 ? null : state.requests,
    session: {
      assurance: state.assurance, head: state.head ?? noHead, id: state.id, opened_at: evidence.session.opened_at,
      seq: state.seq, state: evidence.session.state,
    },
    signals: measureSignals(state, action, { intent, labels, provenance, attributes, excludeAction, now, human: identity.human, internalDomains, embedding }),
    version: 1,
  };
  return embedding ? { ...snapshot, embedding } : snapshot;
}

/** The head of a chain without entries. */
const noHead: Digest = zeroDigest();

function zeroDigest(): Digest {
  const zeros = '0'.repeat(64);
  if (!isDigest(zeros)) throw new Error('Sixty-four zeros are a digest.');
  return zeros;
}

function labelsOf({ labels }: SessionState, { excludeAction, resourceLabels = [] }: Evidence): readonly string[] {
  const own = labels.current(excludeAction);
  return resourceLabels.length === 0 ? own : [...new Set([...own, ...resourceLabels])].sort();
}

/** Own and the family's, in the order of time. */
function recentOf({ recent }: SessionState, { relatives, excludeAction }: Evidence): Snapshot['prior']['recent'] {
  const all = !relatives || relatives.recent.length === 0 ? recent : [...recent, ...relatives.recent].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return (excludeAction === undefined ? all : all.filter((one) => one.action !== excludeAction)).slice(-shownPrior);
}

function priorOf(state: SessionState, recent: Snapshot['prior']['recent'], { excludeAction, relatives }: Evidence): Snapshot['prior'] {
  const counts: Record<string, number> = {};
  const names = relatives && relatives.counts.size > 0 ? [...new Set([...state.counts.keys(), ...relatives.counts.keys()])].sort() : namesOf(state.counts);
  for (const name of names) counts[name] = (state.counts.get(name) ?? 0) + (relatives?.counts.get(name) ?? 0);
  let total = state.total + (relatives?.total ?? 0);
  // An action that is decided again waits for its outcome, so it is still among the running ones.
  const own = excludeAction === undefined ? undefined : state.running.get(excludeAction)?.key;
  if (own !== undefined) {
    total--;
    const left = (counts[own] ?? 1) - 1;
    if (left > 0) counts[own] = left;
    else delete counts[own];
  }
  return { counts, recent, total };
}

const sorted = new WeakMap<ReadonlyMap<string, number>, readonly string[]>();

/** In order. What was counted stays counted, so the names are sorted anew only when there is another one. */
function namesOf(counts: ReadonlyMap<string, number>): readonly string[] {
  const known = sorted.get(counts);
  if (known?.length === counts.size) return known;
  const names = [...counts.keys()].sort();
  sorted.set(counts, names);
  return names;
}

/** What an action names, as subjects of attributes. */
function subjectsOf(action: CanonicalAction, more: readonly string[]): readonly string[] {
  const { facts } = action;
  return [
    ...(facts.target === undefined ? [] : [facts.target]),
    ...facts.tables.map((table) => `${action.tool}:${table}`),
    ...facts.paths.map((path) => `files:${path}`),
    ...facts.recipients.map((address) => `recipient:${address}`),
    ...facts.urls.map((url) => `host:${url.host}`),
    ...more,
  ];
}

/** From a source that the policy lists, and young enough; the rest is stored and shown, and unknown here. */
function usableAttributes(state: SessionState, action: CanonicalAction, evidence: Evidence): readonly AttributeFact[] {
  if (state.attributes.isEmpty) return [];
  const { information, now, subjects } = evidence;
  const nowMs = parseTime(now);
  const usable = (fact: AttributeFact): boolean => {
    const rule = information.get(fact.name);
    const ageMs = nowMs - parseTime(fact.observed_at);
    return rule?.from.includes(fact.source) === true && ageMs >= -aheadMs && (rule.max_age_s === null || ageMs <= rule.max_age_s * 1000);
  };
  const named = state.attributes.of([...new Set(subjectsOf(action, subjects ?? []))]).filter(usable);
  const found = action.facts.paths.length === 0 ? named : [...new Set([...named, ...linksOn(state, action.facts.paths, usable)])];
  const { target } = action.facts;
  const kind = targetParameter(action);
  if (target === undefined || kind === undefined) return found;
  const exact = state.attributes.of([`${action.tool}/${kind}${target.slice(action.tool.length)}`]).filter(usable);
  return aboutTarget(found, exact, target, evidence.plainTarget !== undefined && evidence.plainTarget !== kind);
}

/** What is said of the folders on the way, and of those that their links lead to; a chain of links takes as many looks. */
function linksOn(state: SessionState, paths: readonly string[], usable: (fact: AttributeFact) => boolean): readonly AttributeFact[] {
  const found = new Set<AttributeFact>();
  const links = new Map<string, string>();
  let reached = new Set(paths);
  for (let look = 0; look < mostLooks; look++) {
    const said = state.attributes.of([...new Set(linkSubjects([...reached]))]).filter((fact) => (fact.name === 'symlink' || fact.name === 'same_file') && usable(fact));
    for (const fact of said) {
      found.add(fact);
      if (fact.name === 'symlink' && typeof fact.value === 'string') links.set(fact.subject.slice('files:'.length), fact.value);
    }
    const ends = new Set([...reached, ...paths.map((path) => resolveLinks(path, links) ?? path)]);
    if (ends.size === reached.size) break;
    reached = ends;
  }
  return [...found];
}

const mostLooks = 5;

/**
 * What was said of exactly this kind of target (`workspace/event_id:5`) is said of the target, and counts instead of what the plain
 * reference says under the same name. Whose the plain `workspace:5` is says nothing of an event when it means a file.
 */
function aboutTarget(found: readonly AttributeFact[], exact: readonly AttributeFact[], target: string, meansAnother: boolean): readonly AttributeFact[] {
  const said = new Set(exact.map(({ name }) => name));
  const plain = found.filter(({ subject, name }) => subject !== target || (!said.has(name) && !(meansAnother && name === 'owner')));
  return [...exact.map((fact) => ({ ...fact, subject: target })), ...plain];
}
