import { policyEditorRead } from '@/lib/server/reads/policies';

export const dynamic = 'force-dynamic';

export const GET = policyEditorRead.GET;
