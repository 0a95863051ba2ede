import { deferralRead } from '@/lib/server/reads/approvals';

export const dynamic = 'force-dynamic';

export const GET = deferralRead.GET;
