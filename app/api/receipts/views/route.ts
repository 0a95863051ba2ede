import { savedViewsRead } from '@/lib/server/reads/saved-views';

export const dynamic = 'force-dynamic';

export const GET = savedViewsRead.GET;
