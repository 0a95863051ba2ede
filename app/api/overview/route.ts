import { overviewRead } from '@/lib/server/reads/overview';

export const dynamic = 'force-dynamic';

export const GET = overviewRead.GET;
