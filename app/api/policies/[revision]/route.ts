import { revisionRead } from '@/lib/server/reads/policies';

export const dynamic = 'force-dynamic';

export const GET = revisionRead.GET;
