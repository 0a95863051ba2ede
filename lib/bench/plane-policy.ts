import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 } from '@/lib/server/node-sha256';

/** What the bench decides by; `cerbos.ts` says the same as far as Cerbos can. */
export const benchPolicy = (): string => `schema: countersign/policy/v1
id: bench
use: stock@1 sha256:${stockCatalogue(nodeSha256).digest}
defaults: { decision: DENY, unclassified: INTERNAL }
directory: { internal_domains: [harbor.example] }
tools:
  - name: notes.write
    effect: write
    impact: low
    parameters: { text: { type: string } }
  - name: database.query
    labels: [{ reads: customers, add: [CONFIDENTIAL, PII] }, { reads: "*", add: [INTERNAL] }]
rules:
  - { id: notes, match: { tool: notes, operation: write }, action: ALLOW, reason: Notes are free. }
  - { id: queries, match: { tool: database, operation: query }, action: ALLOW, reason: Reading is free. }
  - { id: mail, match: { tool: email, operation: send }, action: ALLOW, reason: Mail is free. }
  - { id: updates, match: { tool: database, operation: update }, action: ALLOW, reason: Updates are allowed once capped. }
  - { id: cap, match: { tool: database, operation: update }, action: MODIFY, modify: [{ cap: parameters.limit, at: 10 }], reason: Ten rows at a time. }
  - { id: never-drop, match: { tool: database, operation: drop }, action: DENY, classification: forbidden, reason: Never. }
  - id: nothing-personal-leaves
    match: { tool: email, operation: send }
    context: { data_classification: { contains: [PII] }, recipient: { external: true } }
    action: DENY
    classification: context_dependent_deny
    reason: Personal data was read.
`;
