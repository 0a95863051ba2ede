import { enrolmentsRead } from '@/lib/server/reads/keys';

export const dynamic = 'force-dynamic';

export const GET = enrolmentsRead.GET;
