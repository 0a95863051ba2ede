import { describe, expect, it } from 'vitest';

import { filtersOf, noFilters as none, receiptsQueryOf, urlOfFilters } from './receipts-url';

describe('the address of the receipts page', () => {
  it('asks for the newest page when it says nothing', () => {
    expect(receiptsQueryOf(none)).toEqual({ limit: 100 });
  });

  it('becomes the query it names', () => {
    expect(receiptsQueryOf({ ...none, decision: 'DENY', agent: 'ops', text: ' refund ' })).toEqual({ limit: 100, decision: 'DENY', agent: 'ops', text: 'refund' });
  });

  it('leaves out what somebody mistyped instead of failing', () => {
    expect(receiptsQueryOf({ ...none, kind: 'no_such_kind', session: 'not-a-session', from: 'yesterday' })).toEqual({ limit: 100 });
  });

  it('leads back from every filter to the same address', () => {
    const all = {
      ...none, span: 'week', from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z', decision: 'STEP_UP', kind: 'permit_refused', tool: 'files', agent: 'ops', person: 'ana@harbor.example', rule: 'refund-needs-two',
      revision: '7', label: 'pii', session: 'ses_0123456789abcdefghij', action: 'act_0123456789abcdefghij', text: 'refund',
    } as const;
    expect(filtersOf(all)).toMatchObject({ rule: 'refund-needs-two', revision: 7, label: 'pii' });
    expect(urlOfFilters(filtersOf(all))).toEqual(all);
    expect(urlOfFilters({})).toEqual(none);
  });
});
