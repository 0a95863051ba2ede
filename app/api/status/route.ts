import { readStatus } from '@/lib/server/reads/console-status';
import { faultResponse } from '@/lib/server/shown-fault';

export const dynamic = 'force-dynamic';

export async function GET(): Promise<Response> {
  const status = await readStatus();
  return status.ok ? Response.json(status.value, { headers: { 'cache-control': 'no-store' } }) : faultResponse(status.error);
}
