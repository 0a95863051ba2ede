import { reconciliationCountsRead } from '@/lib/server/reads/reconciliation';

export const dynamic = 'force-dynamic';

export const GET = reconciliationCountsRead.GET;
