import type { Snapshot } from '@/lib/context/snapshot';
import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { CanonicalAction } from '@/lib/mediate/action';
import { deriveFacts } from '@/lib/mediate/facts';
import { stockCatalogue } from '@/lib/mediate/stock';
import { compilePolicy } from '@/lib/policy/compile-policy';
import { parsePolicy } from '@/lib/policy/parse-policy';
import type { PolicyFormat } from '@/lib/policy/read-text';
import type { Digest, SessionId } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';
import type { Issue } from '@/lib/shared/result';

import { nodeSha256 } from './node-crypto';

export const stock = stockCatalogue(nodeSha256);
export const useStock = `use: stock@1 sha256:${stock.digest}`;

/** A noon that every engine test shares. */
export const noon = '2030-06-03T12:00:00.000Z';

export const at = (minutesBefore: number): string => new Date(Date.parse(noon) - minutesBefore * 60_000).toISOString();

/** A whole policy around some lines; `header` replaces nothing, it comes before the rules. */
export const policyText = (rules: string, header = ''): string => `schema: countersign/policy/v1\nid: test\n${useStock}\n${header}\nrules:\n${rules || '  []'}\n`;

export function policyFrom(text: string, format: PolicyFormat = 'yaml'): CompiledPolicy {
  const parsed = parsePolicy(text, { format, catalogue: stock, sha256: nodeSha256 });
  if (!parsed.ok) throw new Error(`The test's policy does not load:\n${JSON.stringify(parsed.error.issues, null, 1)}`);
  return compilePolicy(parsed.value);
}

export function issuesOf(text: string, format: PolicyFormat = 'yaml'): readonly Issue[] {
  const parsed = parsePolicy(text, { format, catalogue: stock, sha256: nodeSha256 });
  return parsed.ok ? [] : (parsed.error.issues ?? []);
}

export function actionFrom(name: string, parameters: JsonObject, policy?: CompiledPolicy): CanonicalAction {
  const entry = (policy?.catalogue ?? stock).entries.get(name);
  if (!entry) throw new Error(`The catalogue has no ${name}.`);
  return { tool: entry.tool, operation: entry.operation, parameters, entry, facts: deriveFacts(entry, parameters) };
}

const digest = 'a'.repeat(64) as Digest;
const session = 'ses_0000000000000000000000' as SessionId;

/** A quiet session of Ada's in which everything fits the request, with what a test wants to be different. */
export function snapshotWith(more: Partial<Snapshot> = {}): Snapshot {
  return {
    version: 1,
    session: { id: session, state: 'open', opened_at: at(30), assurance: 'orchestrator', head: digest, seq: 3 },
    identity: { human: 'ada@corp.example', service: 'helpdesk', agent: 'agent-1', session, role: 'assistant', scope: ['mail', 'data'], delegation: [] },
    identity_verified: true,
    killed: false,
    requests: ['Do the work.'],
    intent: { affirmed: [], doubtful: [] },
    prior: { counts: {}, recent: [], total: 0 },
    labels: [],
    provenance: [],
    attributes: [],
    signals: [{ name: 'verb', score: 900, weight: 1000, evidence: 'the request names it' }],
    guards: [],
    points: [],
    grants: [],
    ...more,
  };
}

export const owner = (subject: string, value: string, source = 'ip:records'): Snapshot['attributes'][number] => ({
  subject, name: 'owner', value, unavailable: false, source, observed_at: at(1),
});

export const decideAbout = (policy: CompiledPolicy, name: string, parameters: JsonObject, more: Partial<Snapshot> = {}): Decision =>
  decide(actionFrom(name, parameters, policy), snapshotWith(more), policy, noon);
