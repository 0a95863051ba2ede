import { guardDirectoriesRead } from '@/lib/server/reads/guard-directories';

export const dynamic = 'force-dynamic';

export const GET = guardDirectoriesRead.GET;
