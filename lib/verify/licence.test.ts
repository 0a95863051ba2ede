import { describe, expect, it } from 'vitest';

import type { ApproverRule } from '@/lib/approvals/held-action';
import type { ApprovalDemand, Decision } from '@/lib/engine/decision';
import { asJson } from '@/lib/shared/as-json';
import { heldDeletion } from '@/lib/testing/held-actions';
import { testTime } from '@/lib/testing/ledger-builder';

import { differenceOfLicence } from './licence';
import type { RederiveInput } from './rederive';

const demand: ApprovalDemand = { approvers: ['finance', 'security'], all_groups: true, quorum: 2, timeout_s: 600, separation: true, escalate: { to: ['backup'], after_s: 300 } };
const request = { approvers: ['finance', 'security'], quorum: 2, separation: true, at: testTime(0), expires_at: testTime(600) };
const told: ApproverRule = { groups: ['finance', 'security'], all_groups: true, quorum: 2, separation: true, escalate: { to: ['backup'], after_s: 300 } };

/** What the policy asks when it is asked again, beside what the receipts say was asked. */
function difference(changes: { readonly demand?: Partial<ApprovalDemand>; readonly request?: object; readonly told?: Partial<ApproverRule>; readonly escalated?: { readonly at: string; readonly approvers: readonly string[] } } = {}) {
  const input = {
    decided: { decision: 'STEP_UP', cause: 'proposed', at: testTime(0) },
    request: { ...request, ...changes.request },
    held: asJson(heldDeletion({ approvers: { ...told, ...changes.told } })),
    escalations: changes.escalated ? [changes.escalated] : [],
  } as unknown as RederiveInput;
  const again = { decision: 'STEP_UP', impact: 'medium', approval: { ...demand, ...changes.demand }, grants: [], obligations: [] } as unknown as Decision;
  return differenceOfLicence(input, again, { permits: { ttl_s: 60, after_approval_s: 600, outcome_s: 900 } });
}

describe('whom a request asked, beside whom the policy asks', () => {
  it('is the same, also once the backup was asked at its time', () => {
    expect(difference()).toBeUndefined();
    expect(difference({ escalated: { at: testTime(300), approvers: ['backup'] } })).toBeUndefined();
  });

  it.each<[string, Parameters<typeof difference>[0], string]>([
    ['any group in place of all', { told: { all_groups: false } }, 'asks all groups'],
    ['all groups in place of any', { demand: { all_groups: false } }, 'asks any group'],
    ['fewer people', { request: { quorum: 1 } }, 'needs 1 people'],
    ['other groups', { request: { approvers: ['finance'] } }, 'was routed to finance'],
    ['separation of duties switched off', { request: { separation: false } }, 'about separation of duties'],
    ['for longer', { request: { expires_at: testTime(601) } }, 'lasts longer'],
    ['a backup early', { escalated: { at: testTime(299), approvers: ['backup'] } }, 'before the 300 seconds'],
    ['a backup that is not named', { escalated: { at: testTime(300), approvers: ['friends'] } }, 'friends was asked later'],
    ['with another backup announced', { told: { escalate: { to: ['backup'], after_s: 1 } } }, 'another backup'],
    ['with a backup announced where there is none', { demand: { escalate: undefined as never } }, 'another backup'],
  ])('%s differs', (_what, changes, words) => {
    expect(difference(changes)).toContain(words);
  });
});
