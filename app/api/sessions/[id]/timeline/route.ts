import { sessionTimelineRead } from '@/lib/server/reads/receipts';

export const dynamic = 'force-dynamic';

export const GET = sessionTimelineRead.GET;
