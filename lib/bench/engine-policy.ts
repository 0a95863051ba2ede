import { stock } from './engine-load';

/** Rules of one department: what its own tool may do, and what its agents may do with the tools that everybody shares. */
export const rulesPerDepartment = 10;

/**
 * A policy of `rules` rules (a multiple of ten) for an organisation of as many departments as that makes. Half of the rules are about
 * a department's own tool, half about mail and data for agents of the department's role, so that most rules of a large policy
 * share a tool with the action and still do not apply. `engine-cedar.ts` and `engine-casbin.ts` say the same as far as they can.
 */
export function enginePolicy(rules: number): string {
  const departments = Array.from({ length: rules / rulesPerDepartment }, (_, at) => at);
  return `schema: countersign/policy/v1
id: bench
use: stock@1 sha256:${stock.digest}
defaults: { decision: DENY, unclassified: INTERNAL }
directory: { internal_domains: [harbor.example] }
information: { owner: { from: ["ip:records"] } }
tools:
${departments.map(toolsOf).join('')}rules:
${departments.map(rulesOf).join('')}`;
}

const toolsOf = (d: number): string => `  - { name: dept${String(d)}.lookup, effect: read, impact: low, parameters: { id: { type: string, role: target } } }
  - name: dept${String(d)}.change
    effect: write
    impact: medium
    parameters: { id: { type: string, role: target }, amount: { type: number, optional: true }, limit: { type: integer, optional: true }, note: { type: string, optional: true } }
`;

function rulesOf(d: number): string {
  const n = String(d);
  const own = `tool: dept${n}, operation: change`;
  const role = `identity: { role: dept${n} }`;
  return `  - { id: look-${n}, match: { tool: dept${n}, operation: lookup }, action: ALLOW, reason: Reading is free. }
  - { id: change-${n}, match: { ${own} }, action: ALLOW, reason: Own records may be changed. }
  - { id: cap-${n}, match: { ${own}, parameters: { limit: { gt: 100 } } }, action: MODIFY, modify: [{ cap: parameters.limit, at: 100 }], reason: A hundred at a time. }
  - { id: large-${n}, match: { ${own}, parameters: { amount: { gt: 5000 } } }, action: STEP_UP, reason: Large amounts are countersigned. }
  - { id: locked-${n}, match: { tool: dept${n}, parameters: { id: { starts_with: [ledger-, audit-] } } }, action: DENY, classification: forbidden, reason: The books are closed. }
  - { id: mail-${n}, match: { tool: email, operation: send, ${role} }, action: ALLOW, reason: Mail is free. }
  - { id: leak-${n}, match: { tool: [dept${n}, email], ${role} }, context: { data_classification: { contains: [PII] }, recipient: { external: true } }, action: DENY, reason: Personal data stays here. }
  - { id: steered-${n}, match: { tool: [dept${n}, email], ${role} }, context: { provenance: { to: { in: [untrusted_output, nowhere] } } }, action: STEP_UP, reason: Nobody named this recipient. }
  - { id: burst-${n}, match: { tool: [dept${n}, email, database], ${role} }, context: { velocity: { tool: email, operation: send, gt: 20, within: 1m } }, action: DENY, reason: Too many mails at once. }
  - id: clear-${n}
    match: { tool: database, operation: delete, ${role}, parameters: { limit: { lte: 1000 } } }
    context: { user_intent: { contains: [cleanup, delete] }, target_ownership: { owned_by: requesting_user } }
    action: STEP_UP
    classification: context_dependent_allow
    reason: Own data may be cleared once somebody has looked.
`;
}
