import { proposalRead } from '@/lib/server/reads/proposals';

export const dynamic = 'force-dynamic';

export const GET = proposalRead.GET;
