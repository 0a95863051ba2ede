import { suggestionsRead } from '@/lib/server/reads/proofs';

export const dynamic = 'force-dynamic';

export const GET = suggestionsRead.GET;
