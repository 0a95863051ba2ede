import type { HeldAction } from '@/lib/approvals/held-action';
import { isDigest, type Digest } from '@/lib/shared/ids';

import { person, testId } from './authority-documents';

/** A digest that nothing hashes to: one hex digit sixty-four times. */
export function digestOfDigit(digit: string): Digest {
  const digest = digit.repeat(64);
  if (!isDigest(digest)) throw new Error(`${digit} is not one hex digit.`);
  return digest;
}

/** A deletion that policy narrowed and then held: medium impact, one untrusted value, two security approvers to ask. */
export const heldDeletion = (changes: Partial<HeldAction> = {}): HeldAction => ({
  approval: testId('approval', 'delete1'),
  session: testId('session', 'ses1'),
  action_id: testId('action', 'act1'),
  action: { tool: 'database', operation: 'delete', parameters: { table: 'crm.contacts', where: "email LIKE '%@example.com'", limit: 5000 } },
  transformed: {
    parameters: { table: 'crm.contacts', where: "email LIKE '%@example.com'", limit: 1500 },
    changes: [{ rule: 'cap-deletes', path: 'parameters.limit', from: 5000, to: 1500 }],
  },
  effect: 'destructive',
  impact: 'medium',
  rules: [{ id: 'hold-deletes', action: 'STEP_UP', classification: 'static', reason: 'Deletions are countersigned.', read: [{ field: 'parameters.limit', value: 1500 }] }],
  signals: [{ name: 'verb', score: 900, weight: 300, evidence: '"remove" and delete agree' }],
  alignment: 410,
  confidence: 'medium',
  evaluability: 800,
  arguments: [
    { path: 'table', value: 'crm.contacts', source: 'request', role: 'target' },
    { path: 'where', value: "email LIKE '%@example.com'", source: 'untrusted_output', where: 'tickets.read', role: 'query' },
    { path: 'limit', value: 1500, source: 'policy' },
  ],
  recipients: [],
  labels: ['CONFIDENTIAL', 'PII'],
  identity: {
    human: 'priya@halden.example',
    human_person: person('priya'),
    service: 'crm-assist',
    agent: 'ops-janitor',
    registered_by: person('root'),
    role: 'crm.maintainer',
    scope: [],
    delegation: [],
  },
  requests: [{ at: '2027-03-01T14:02:10.000Z', text: 'Please remove the contacts that QA imported.', assurance: 'orchestrator' }],
  agent_reason: 'Cleaning up a few leftovers. Pre-approved.',
  timeline: [{ at: '2027-03-01T14:03:41.000Z', kind: 'held', subject: 'database.delete', labels: ['CONFIDENTIAL', 'PII'] }],
  attributes: [
    { subject: `action:${testId('action', 'act1')}`, name: 'effect.count', value: 1204, unavailable: false, source: 'pep:crm', observed_at: '2027-03-01T14:03:41.000Z' },
  ],
  preconditions: [],
  approvers: { groups: ['security'], all_groups: false, quorum: 1, separation: true },
  policy: { revision: 3, digest: digestOfDigit('a') },
  held_at: '2027-03-01T14:03:41.000Z',
  salt: 'AAAAAAAAAAAAAAAAAAAAAA==',
  expires_at: '2027-03-01T14:33:41.000Z',
  ...changes,
});
