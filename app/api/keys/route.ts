import { ownKeysRead } from '@/lib/server/reads/keys';

export const dynamic = 'force-dynamic';

export const GET = ownKeysRead.GET;
