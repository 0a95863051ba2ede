import { receiptRead } from '@/lib/server/reads/receipts';

export const dynamic = 'force-dynamic';

export const GET = receiptRead.GET;
