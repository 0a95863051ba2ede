import { peopleRead } from '@/lib/server/reads/people';

export const dynamic = 'force-dynamic';

export const GET = peopleRead.GET;
