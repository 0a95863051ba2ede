import { proposalsRead } from '@/lib/server/reads/proposals';

export const dynamic = 'force-dynamic';

export const GET = proposalsRead.GET;
