import { grantsRead } from '@/lib/server/reads/grants';

export const dynamic = 'force-dynamic';

export const GET = grantsRead.GET;
