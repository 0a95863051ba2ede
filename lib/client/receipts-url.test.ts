import { describe, expect, it } from 'vitest';

import { receiptsQueryOf, type ReceiptsUrlState } from './receipts-url';

const none: ReceiptsUrlState = { decision: null, kind: null, agent: null, tool: null, session: null, action: null, from: null, text: '' };

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
});
