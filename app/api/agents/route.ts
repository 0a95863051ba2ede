import { agentsRead } from '@/lib/server/reads/agents';

export const dynamic = 'force-dynamic';

export const GET = agentsRead.GET;
