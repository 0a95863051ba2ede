import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 } from '@/lib/server/node-sha256';

/** One tool is free, one waits for people; nothing here is about how much may wait. */
export const approvalsPolicy = `schema: countersign/policy/v1
id: approvals-bench
use: stock@1 sha256:${stockCatalogue(nodeSha256).digest}
defaults: { decision: DENY, unclassified: INTERNAL }
approvals: { approvers: [approver], timeout: 6h, quorum: 1, separation: required }
limits: { held_per_session: 100000, held_per_agent: 100000, held_per_human: 100000, new_per_minute: 100000 }
tools:
  - { name: notes.write, effect: write, impact: low, parameters: { text: { type: string } } }
  - { name: hold.note, effect: write, impact: low, parameters: { text: { type: string } } }
rules:
  - { id: notes, match: { tool: notes, operation: write }, action: ALLOW, reason: Notes are free. }
  - { id: held, match: { tool: hold, operation: note }, action: STEP_UP, reason: Somebody looks. }
`;
