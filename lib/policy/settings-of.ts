import type { PolicySettings } from '@/lib/engine/policy';

import type { PolicyDocument } from './document-schema';

/** The settings of a policy, defaults filled in. Times in seconds, shares in thousandths. */
export function settingsOf(document: PolicyDocument): PolicySettings {
  const { approvals, deferrals, permits, sessions } = document;
  return {
    id: document.id,
    defaults: document.defaults,
    confidence: document.confidence,
    approvals: { approvers: approvals.approvers, timeout_s: approvals.timeout, quorum: approvals.quorum, separation: approvals.separation === 'required' },
    deferrals: { timeout_s: deferrals.timeout, depth: deferrals.depth },
    permits: { ttl_s: permits.ttl, after_approval_s: permits.after_approval, outcome_s: permits.outcome },
    sessions: { ttl_s: sessions.ttl, idle_s: sessions.idle },
    limits: document.limits,
    information: new Map(Object.entries(document.information).map(([name, source]) => [name, { from: source.from, max_age_s: source.max_age ?? null, ...(source.type === undefined ? {} : { type: source.type }) }])),
    internalDomains: document.directory.internal_domains ?? null,
  };
}
