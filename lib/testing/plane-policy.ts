import { stockCatalogue } from '@/lib/mediate/stock';

import { nodeSha256 } from '@/lib/server/node-sha256';

/** A policy in which each of the five decisions is near: what the plane's tests run on. */
export const planePolicy = `schema: countersign/policy/v1
id: plane-tests
use: stock@1 sha256:${stockCatalogue(nodeSha256).digest}
defaults: { decision: DENY, unclassified: INTERNAL }
approvals: { approvers: [approver], timeout: 30m, quorum: 1, separation: required }
deferrals: { timeout: 5m, depth: 3 }
permits: { ttl: 60s, after_approval: 10m, outcome: 15m }
directory: { internal_domains: [harbor.example] }
information: { owner: { from: [ip:records, orchestrator:desk], max_age: 5m } }
tools:
  - name: database.query
    labels: [{ reads: customers, add: [CONFIDENTIAL, PII] }, { reads: "*", add: [INTERNAL] }]
  - name: notes.write
    effect: write
    impact: low
    parameters: { text: { type: string } }
rules:
  - id: allow-notes
    match: { tool: notes, operation: write }
    action: ALLOW
    reason: "Notes are the agent's own."
  - id: allow-queries
    match: { tool: database, operation: query }
    action: ALLOW
    reason: "Reading is what the assistant is for."
  - id: allow-mail
    match: { tool: email, operation: send }
    action: ALLOW
    reason: "Mail is allowed."
  - id: no-mail-out-after-personal-data
    match: { tool: email, operation: send }
    context: { data_classification: { contains: [PII] }, recipient: { external: true } }
    action: DENY
    classification: context_dependent_deny
    reason: "Personal data was read: nothing leaves the house."
  - id: never-drop
    match: { tool: database, operation: drop }
    action: DENY
    classification: forbidden
    reason: "No agent drops a database."
  - id: confirm-writes
    match: { tool: files, operation: write }
    action: STEP_UP
    reason: "A person looks at what is written."
  - id: cap-updates
    match: { tool: database, operation: update }
    action: MODIFY
    modify: [{ set: parameters.limit, to: 10 }]
    reason: "Ten rows at a time."
  - id: updates-are-allowed
    match: { tool: database, operation: update }
    action: ALLOW
    reason: "Updates are allowed once capped."
  - id: owner-deletes
    match: { tool: database, operation: delete }
    context: { target_ownership: { owned_by: requesting_user } }
    action: STEP_UP
    classification: context_dependent_allow
    approvers: [data-owner]
    reason: "Owners may have their own data deleted."
  - id: payments-need-two
    match: { tool: payments, operation: transfer }
    action: STEP_UP
    quorum: 2
    approvers: [approver]
    reason: "Two people look at every payment."
`;
