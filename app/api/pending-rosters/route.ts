import { pendingRostersRead } from '@/lib/server/reads/pending-rosters';

export const dynamic = 'force-dynamic';

export const GET = pendingRostersRead.GET;
