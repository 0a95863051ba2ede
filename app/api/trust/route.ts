import { trustRead } from '@/lib/server/reads/trust';

export const dynamic = 'force-dynamic';

export const GET = trustRead.GET;
