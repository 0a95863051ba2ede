import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 } from '@/lib/server/node-sha256';

/** The longest deadline that can be asked for, seconds. */
export const longestS = 900;

/** Every deadline in whole seconds is an operation of its own, so that requests made at different times can run out in the same second. */
export const approvalsPolicy = (): string => `schema: countersign/policy/v1
id: approvals-bench
use: stock@1 sha256:${stockCatalogue(nodeSha256).digest}
defaults: { decision: DENY, unclassified: INTERNAL }
approvals: { approvers: [approver], timeout: 6h, quorum: 1, separation: required }
limits: { held_per_session: 100000, held_per_agent: 100000, held_per_human: 100000, new_per_minute: 100000 }
tools:
  - { name: notes.write, effect: write, impact: low, parameters: { text: { type: string } } }
  - { name: hold.long, effect: write, impact: low, parameters: { text: { type: string } } }
${seconds.map((n) => `  - { name: hold.s${n}, effect: write, impact: low, parameters: { text: { type: string } } }`).join('\n')}
rules:
  - { id: notes, match: { tool: notes, operation: write }, action: ALLOW, reason: Notes are free. }
  - { id: long, match: { tool: hold, operation: long }, action: STEP_UP, reason: Somebody looks. }
${seconds.map((n) => `  - { id: s${n}, match: { tool: hold, operation: s${n} }, action: STEP_UP, timeout: ${n}s, reason: Somebody looks. }`).join('\n')}
`;

const seconds = Array.from({ length: longestS }, (_, at) => String(at + 1));
