import { proofRead } from '@/lib/server/reads/proofs';

export const dynamic = 'force-dynamic';

export const GET = proofRead.GET;
