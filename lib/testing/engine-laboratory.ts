import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Rule } from '@/lib/engine/rule';
import { decisionKinds } from '@/lib/mediate/catalogue';
import { extendCatalogue } from '@/lib/mediate/extend';
import { compilePolicy } from '@/lib/policy/compile-policy';

import { policyFrom, policyText, stock } from './engine-fixtures';

/** A laboratory with few words, so that generated rules, actions and contexts meet. One parameter for every role and type. */
const parameters = {
  to: { type: 'array', items: 'string', scalar_or_array: true, optional: true, role: 'recipients' },
  path: { type: 'string', optional: true, role: 'path' },
  command: { type: 'string', optional: true, role: 'command' },
  url: { type: 'string', optional: true, role: 'url' },
  query: { type: 'string', optional: true, role: 'query' },
  table: { type: 'string', optional: true, role: 'target' },
  amount: { type: 'number', optional: true, role: 'amount' },
  limit: { type: 'number', optional: true },
  note: { type: 'string', optional: true },
  tags: { type: 'array', items: 'string', optional: true },
  where: { type: 'object', optional: true },
} as const;

const extended = extendCatalogue(stock, [
  { name: 'lab.see', effect: 'read', impact: 'low', parameters },
  { name: 'lab.act', effect: 'write', impact: 'high', parameters },
  { name: 'lab.send', effect: 'communicate', impact: 'low', parameters },
  { name: 'lab.reach', effect: 'grant', impact: 'critical', grant: true, parameters },
  { name: 'lab.open', effect: 'read', impact: 'low', decision: 'ALLOW', parameters },
  { name: 'lab.ask', effect: 'write', impact: 'medium', decision: 'STEP_UP', parameters },
]);
if (!extended.ok) throw new Error('The laboratory’s tools do not load.');
export const laboratory = extended.value;

/** The laboratory's operations; `open` and `ask` have a baseline of their own, `reach` needs a grant. */
export const operations = ['see', 'act', 'send', 'reach', 'open', 'ask'] as const;

const base = policyFrom(
  policyText('', `directory: { internal_domains: [corp.example] }
information: { owner: { from: ["ip:records"], max_age: 5m }, criticality: { from: ["ip:records"] }, directory: { from: ["ip:records"], max_age: 1h }, effect.count: { from: ["pep:gate"] } }`),
);

export type LaboratorySettings = { readonly decision: string; readonly internal: boolean };

export function policyOf(rules: readonly Rule[], { decision, internal }: LaboratorySettings = { decision: 'DENY', internal: true }): CompiledPolicy {
  const kind = decisionKinds.find((known) => known === decision) ?? 'DENY';
  const settings = { ...base, defaults: { decision: kind, unclassified: 'RESTRICTED' as const }, internalDomains: internal ? base.internalDomains : null };
  return compilePolicy({ settings, catalogue: laboratory, rules, digest: base.digest, tables: base.tables });
}
