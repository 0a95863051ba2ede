import type { QueueQuery } from '@/lib/contracts/console/approvals';

/** What is, and was, held on the viewer's own behalf. */
export const ownQueue: QueueQuery = { scope: 'own', state: 'all', sort: 'newest', limit: 100 };
