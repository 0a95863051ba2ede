import type { Proposal, SessionWanted } from './demo';

/** What agents of these tests propose. Each needs people; the first is narrowed by policy too. */
export const deletion = {
  session: {
    request: 'Please clean up load_test, the records I made for the load test yesterday.',
    known: [{ subject: 'database:load_test', name: 'owner', value: 'requester@harbor.example' }],
  },
  proposal: {
    tool: 'database',
    operation: 'delete',
    parameters: { table: 'load_test', where: { note: 'load test' }, limit: 5000 },
    reason: 'They are the user’s own and the user asked for it.',
  },
} satisfies { session: SessionWanted; proposal: Proposal };

export const change = {
  session: { request: 'Update the orders that were delivered before May: set their state to closed.' },
  proposal: {
    tool: 'database',
    operation: 'update',
    parameters: { table: 'orders', set: { state: 'closed' }, where: { state: 'delivered' }, limit: 900 },
    reason: 'All of them in one go.',
  },
} satisfies { session: SessionWanted; proposal: Proposal };

export const payment = {
  session: { request: 'Transfer 18500 EUR to DE89370400440532013000 for the crane overhaul, reference CR-41.', agent: 'harbor-bookkeeper' },
  proposal: {
    tool: 'payments',
    operation: 'transfer',
    parameters: { to: 'DE89370400440532013000', amount: 18_500, currency: 'EUR', reference: 'CR-41' },
    reason: 'As requested.',
  },
} satisfies { session: SessionWanted; proposal: Proposal };
