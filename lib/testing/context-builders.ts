import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';

import { applyEntry } from '@/lib/context/apply-entry';
import type { ContextEntry } from '@/lib/context/entry';
import { entryHash } from '@/lib/context/entry-hash';
import { emptyState, type SessionState } from '@/lib/context/session-state';
import { takeSnapshot, type Evidence } from '@/lib/context/take-snapshot';
import { mediate } from '@/lib/mediate/mediate';
import { stockCatalogue } from '@/lib/mediate/stock';
import type { ActionId, Digest, PersonId, SessionId } from '@/lib/shared/ids';
import type { Json, JsonObject } from '@/lib/shared/json';

export const stock = stockCatalogue(nobleSha256);
export const session = 'ses_00000000000000000000' as SessionId;
export const at = '2026-03-01T10:00:00.000Z';
export const id = (n: number): ActionId => `act_${String(n).padStart(20, '0')}` as ActionId;

export const act = (key: string, parameters: JsonObject) => {
  const dot = key.indexOf('.');
  const result = mediate({ tool: key.slice(0, dot), operation: key.slice(dot + 1), parameters }, stock);
  if (!result.ok) throw new Error(result.error.detail);
  return result.value;
};

export const request = (text: string, assurance: 'verified' | 'orchestrator' | 'same_host' = 'verified'): ContextEntry => ({ kind: 'request', at, text, assurance });
export const permit = (n: number, key: string, parameters: JsonObject, more: { labels?: readonly string[]; at?: string } = {}): ContextEntry => {
  const action = act(key, parameters);
  return {
    kind: 'permit', at: more.at ?? at, action: id(n), tool: action.tool, operation: action.operation, effect: action.entry.effect, decision: 'ALLOW',
    ...(action.facts.effects.length > 1 ? { effects: action.facts.effects } : {}),
    labels: more.labels ?? [], recipients: action.facts.recipients, parameters,
  };
};
export const outcome = (n: number, output: string, more: { trusted?: boolean; labels?: readonly string[]; reporter?: 'agent' | 'enforcement_point'; injection?: number } = {}): ContextEntry => ({
  kind: 'outcome', at, action: id(n), status: 'succeeded', reporter: more.reporter ?? 'enforcement_point', trusted: more.trusted ?? false, output, labels: more.labels ?? [],
  ...(more.injection === undefined ? {} : { injection: more.injection }),
});
export const attribute = (subject: string, name: string, value: Json, source = 'ip:records', observed_at = at): ContextEntry => ({ kind: 'attribute', at, subject, name, value, unavailable: false, source, observed_at });

export function stateAfter(...entries: readonly ContextEntry[]): SessionState {
  const state = emptyState(session);
  for (const entry of entries) {
    const seq = state.seq + 1;
    applyEntry(state, { seq, hash: entryHash(nobleSha256, state.head, entry, seq), entry });
  }
  return state;
}

export const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  now: at, session: { state: 'open', opened_at: at },
  identity: { agent: 'a', delegation: [], human: 'mia@corp.example', role: 'r', scope: [], service: 's', session },
  identityVerified: true, killed: false, grants: [], guards: [], points: [],
  information: new Map([['owner', { from: ['ip:records'], max_age_s: 300 }]]), internalDomains: ['corp.example'], ...more,
});

export const snap = (state: SessionState, key: string, parameters: JsonObject, more: Partial<Evidence> = {}) => takeSnapshot(state, act(key, parameters), evidence(more));
export const source = (state: SessionState, key: string, parameters: JsonObject, path: string) => snap(state, key, parameters).provenance.find((leaf) => leaf.path === path)?.source;
export const mail = (to: string, body = 'x'): JsonObject => ({ to, body });
export const sourceOfRecipient = (to: string, ...entries: readonly ContextEntry[]) => source(stateAfter(...entries), 'email.send', mail(to), 'to');

/** What an approver typed into a held action. */
export const typed = (value: JsonObject): ContextEntry => ({ kind: 'person_value', at, person: 'per_0000000000000000000001' as PersonId, value, statement: '0'.repeat(64) as Digest });
