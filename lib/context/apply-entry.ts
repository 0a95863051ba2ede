import { assertNever } from '@/lib/shared/assert-never';

import type { ChainedEntry, ContextEntry, RequestAssurance } from './entry';
import { forgetFirst } from './attribute-table';
import { embeddedAfter, runningMean } from './embedding';
import { nearnessOf, stemsOf } from './nearness';
import { wholeOf } from './resources';
import { priorKept, requestsKept, type SessionState } from './session-state';
import type { PriorAction } from './snapshot';
import { splitRequest } from './split-request';
import { eachLeaf } from './value-index';
import { numberForm } from './value-forms';

const mostRunning = 5_000;
/** Kept one by one; beyond them the tool's whole content counts as being read, or an agent could have one forgotten by reading more. */
const mostAwaited = 40;
const mostRequestWords = 5_000;

/**
 * Takes the next entry of the chain into the state, in time that depends on the entry alone. Throws when the entry is
 * not the next one: a state that misses an action would decide as if it had not happened.
 */
export function applyEntry(state: SessionState, chained: ChainedEntry): void {
  if (chained.seq !== state.seq + 1) throw new Error(`Entry ${String(chained.seq)} does not follow entry ${String(state.seq)}.`);
  const { entry } = chained;
  const done = entry.kind === 'outcome' ? (state.running.get(entry.action)?.key ?? '') : '';
  take(state, entry, chained.seq);
  state.shown.add(entry, done, state.labels.current());
  state.seq = chained.seq;
  state.head = chained.hash;
}

function take(state: SessionState, entry: ContextEntry, seq: number): void {
  switch (entry.kind) {
    case 'request':
      takeRequest(state, entry.text, entry.assurance, seq);
      return;
    case 'permit':
      takePermit(state, entry, seq);
      return;
    case 'outcome':
      takeOutcome(state, entry, seq);
      return;
    case 'attribute': {
      const { subject, name, value, unavailable, source, observed_at } = entry;
      state.attributes.put({ subject, name, value, unavailable, source, observed_at });
      // What a person typed is their word: the requester's as if it stood in the request, anybody else's as an approver's.
      if (entry.person !== undefined && !unavailable) state.values.addValue(value, { source: source === 'requester' ? 'request' : 'person', seq, where: entry.person });
      return;
    }
    case 'lowering':
      state.labels.lower(entry.label, entry.to);
      return;
    case 'person_value':
      state.values.addValue(entry.value, { source: 'person', seq, where: entry.person });
      return;
    case 'inherited':
      // INVARIANT: a child is begun from its parent at the head that its first entry names, and from nothing else.
      if (seq !== 1 || state.lineage?.parent !== entry.parent || state.lineage.parent_head !== entry.parent_head) throw new Error('The state was not begun from the parent that this entry names.');
      return;
    case 'delegation':
      if (entry.event === 'opened') state.children.add(entry.child);
      else state.children.delete(entry.child);
      state.delegatedSeq = seq;
      return;
    default:
      assertNever(entry);
  }
}

const assuranceRank: Readonly<Record<RequestAssurance, number>> = { verified: 0, orchestrator: 1, same_host: 2 };

function takeRequest(state: SessionState, text: string, assurance: RequestAssurance, seq: number): void {
  const { words, carried } = splitRequest(text);
  if (state.assurance === null || assuranceRank[assurance] > assuranceRank[state.assurance]) state.assurance = assurance;
  state.requests = [...state.requests, words].slice(-requestsKept);
  state.intent.read(words);
  // What is carried first: what the person also says in their own words is theirs.
  state.values.addText(words, { source: 'request', seq, where: 'request' });
  for (const part of carried) state.values.addText(part, { source: 'untrusted_output', seq, where: 'request' });
  for (const stem of stemsOf(words)) if (state.requestWords.size < mostRequestWords) state.requestWords.add(stem);
  for (const word of words.split(/\s+/)) {
    const number = numberForm(word.replace(/[.,;:!?]+$/, ''));
    if (number !== undefined && state.requestAmounts.size < mostRequestWords) state.requestAmounts.add(Number(number));
  }
  state.injection = 0;
}

function takePermit(state: SessionState, entry: Extract<ContextEntry, { kind: 'permit' }>, seq: number): void {
  const { action, tool, operation, effect, effects, at, labels, amount } = entry;
  const key = `${tool}.${operation}`;
  state.counts.set(key, (state.counts.get(key) ?? 0) + 1);
  state.total++;
  const prior: PriorAction = { action, ...(amount === undefined ? {} : { amount }), at, effect, ...(effects === undefined ? {} : { effects }), labels: [...labels], operation, tool };
  state.recent.push(prior);
  if (state.recent.length > priorKept) state.recent.shift();
  state.labels.raiseByPermit(action, labels);
  if (entry.family) state.familyN = entry.family.n;
  const reads = entry.reads ?? [];
  state.running.set(action, { seq, key, reads, inherits: entry.inherits ?? null, writes: reads.length > 0 ? (entry.writes?.resources ?? []) : [] });
  for (const resource of reads) {
    state.awaited.delete(resource);
    state.awaited.set(resource, action);
    const oldest = state.awaited.size > mostAwaited ? state.awaited.keys().next() : null;
    if (oldest?.done === false) {
      state.awaitedWhole.add(wholeOf(oldest.value));
      state.awaited.delete(oldest.value);
    }
  }
  forgetFirst(state.running, mostRunning);
  const near = nearnessOf(state.requestWords, leafTexts(entry.parameters));
  // The newest action counts a quarter: one far step shows, many show more.
  if (near !== null) state.nearness = runningMean(state.nearness, near);
  if (entry.embedded) state.embedded = embeddedAfter(state.embedded, entry.embedded);
  state.values.addValue(entry.parameters, { source: 'nowhere', seq, where: key });
}

function takeOutcome(state: SessionState, entry: Extract<ContextEntry, { kind: 'outcome' }>, seq: number): void {
  state.labels.settle(entry.action);
  state.labels.raise(entry.labels);
  const trusted = entry.trusted && entry.reporter === 'enforcement_point';
  const running = state.running.get(entry.action);
  const where = running?.key ?? 'outcome';
  for (const resource of running?.reads ?? []) if (state.awaited.get(resource) === entry.action) state.awaited.delete(resource);
  state.running.delete(entry.action);
  if (state.running.size === 0) state.awaitedWhole.clear();
  relabel(state.recent, entry.action, entry.labels);
  // First: what was written there keeps its origin, whatever the output is worth.
  state.values.addKnown(entry.doubts ?? [], { source: 'untrusted_output', seq, where });
  state.values.addText(entry.output, { source: trusted ? 'trusted_output' : 'untrusted_output', seq, where });
  if (trusted || entry.output === '') return;
  state.untrustedOutputs++;
  state.injection = Math.max(state.injection, entry.injection ?? 0);
}

/** What an output showed is what its action has read: a sequence that asks for a label finds the step. */
function relabel(recent: PriorAction[], action: PriorAction['action'], labels: readonly string[]): void {
  if (labels.length === 0) return;
  for (let at = recent.length - 1; at >= 0; at--) {
    const prior = recent[at];
    if (prior?.action !== action) continue;
    recent[at] = { ...prior, labels: [...new Set([...prior.labels, ...labels])].sort() };
    return;
  }
}

function leafTexts(parameters: Extract<ContextEntry, { kind: 'permit' }>['parameters']): readonly string[] {
  const texts: string[] = [];
  eachLeaf(parameters, '', (leaf) => {
    if (typeof leaf === 'string') texts.push(leaf);
  });
  return texts;
}
