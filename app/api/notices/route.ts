import { noticesRead } from '@/lib/server/reads/notices';

export const dynamic = 'force-dynamic';

export const GET = noticesRead.GET;
