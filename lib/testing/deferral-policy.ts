import type { Provision } from '@/lib/services/provision-workspace';

import { planePolicy } from './plane-policy';

/** The plane's policy with everything that can make an action wait: missing facts, rules that conflict, a time that ends before people. */
export const deferralPolicy = `${planePolicy.replace('information: { owner: { from: [ip:records, orchestrator:desk], max_age: 5m } }', `limits: { new_per_minute: 1000 }
information:
  owner: { from: [ip:records, orchestrator:desk] }
  criticality: { from: [ip:records, ip:registry] }
  licence: { from: [group:data-owner] }`)}
  - id: criticality-first
    match: { tool: calendar, operation: delete }
    action: DEFER
    context_needed: [criticality, owner]
    timeout: 7m
    reason: "How critical the entry is has to be known first."
  - id: deleting-entries
    match: { tool: calendar, operation: delete }
    action: ALLOW
    reason: "Entries may be deleted."
  - id: nobody-writes-tickets
    match: { tool: tickets, operation: update }
    priority: 100
    action: STEP_UP
    approvers: [data-owner]
    reason: "A person looks at tickets."
  - id: tickets-are-harmless
    match: { tool: tickets, operation: update }
    priority: 100
    action: ALLOW
    reason: "Tickets are harmless."
  - id: checkouts-wait
    match: { tool: git, operation: checkout }
    action: DEFER
    context_needed: [owner]
    timeout: 1s
    approvers: [data-owner]
    reason: "The owner of the repository has to be known."
  - id: checkouts
    match: { tool: git, operation: checkout }
    action: ALLOW
    reason: "Checking out is allowed."
  - id: downloads-wait
    match: { tool: browser, operation: download }
    action: DEFER
    context_needed: [licence]
    reason: "Somebody who knows says under which licence it is."
  - id: downloads
    match: { tool: browser, operation: download }
    action: ALLOW
    reason: "Downloading is allowed."
  - id: fetches-wait
    match: { tool: http, operation: fetch }
    action: DEFER
    context_needed: [owner]
    timeout: 1s
    reason: "The owner of the host has to be known."
`;

/** Who may say what that policy asks for: two information points, one of them for everything. */
export const deferralVouching: Provision['vouching'] = [
  { kind: 'orchestrator', subject: 'desk', scope: { humans: ['requester@harbor.example'], attributes: ['owner'] } },
  { kind: 'enforcement_point', subject: 'gate', scope: { agents: ['helper'] } },
  { kind: 'information_point', subject: 'records', scope: { attributes: ['owner', 'criticality'] } },
  { kind: 'information_point', subject: 'registry', scope: { attributes: ['criticality'] } },
];
