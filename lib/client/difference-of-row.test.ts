import { describe, expect, it } from 'vitest';

import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';

import { differenceOfRow } from './difference-of-row';

const signed = {
  kind: 'action_decided',
  predicate: {
    receipt: 'rcp_1', at: '2026-11-30T13:00:00.000Z', action: { id: 'act_1', digest: 'd' }, identity: { agent: 'ops', session: 'ses_1' }, tool: 'files', operation: 'write',
    decision: 'DENY', policy: { revision: 7, digest: 'p' }, determining: [{ id: 'no-writes', read: [] }],
  },
} as unknown as ReceiptBody;

const row = {
  id: 'rcp_1', kind: 'action_decided', at: '2026-11-30T13:00:00.000Z', session: 'ses_1', action: 'act_1', agent: 'ops', tool: 'files', operation: 'write', decision: 'DENY', revision: 7, rules: ['no-writes'],
} as const;

describe('a row beside what was signed', () => {
  it('differs in nothing when it is the log’s own', () => {
    expect(differenceOfRow(row, signed)).toBeUndefined();
  });

  it.each([
    [{ decision: 'ALLOW' }, 'The list says decision ALLOW; signed is DENY.'],
    [{ agent: 'harmless' }, 'The list says agent harmless; signed is ops.'],
    [{ tool: 'notes' }, 'The list says tool notes; signed is files.'],
    [{ operation: null }, 'The list says operation nothing; signed is write.'],
    [{ revision: 6 }, 'The list says policy revision 6; signed is 7.'],
    [{ rules: [] }, 'The list says rules nothing; signed is no-writes.'],
    [{ session: 'ses_2' }, 'The list says session ses_2; signed is ses_1.'],
    [{ action: 'act_2' }, 'The list says action act_2; signed is act_1.'],
  ])('is found out by its %j', (changed, words) => {
    expect(differenceOfRow({ ...row, ...changed }, signed)).toBe(words);
  });
});
