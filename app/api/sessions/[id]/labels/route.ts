import { sessionLabelsRead } from '@/lib/server/reads/labels';

export const dynamic = 'force-dynamic';

export const GET = sessionLabelsRead.GET;
