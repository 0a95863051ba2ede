import { getViewer } from '@/lib/server/get-viewer';
import { readStatus } from '@/lib/server/reads/console-status';
import { faultResponse } from '@/lib/server/shown-fault';

export const dynamic = 'force-dynamic';

/** For whoever is signed in: it names the owners who signed, and the agents and tools whose switch is thrown. */
export async function GET(): Promise<Response> {
  const status = await readStatus();
  if (!status.ok) return faultResponse(status.error);
  if (!(await getViewer())) return faultResponse({ code: 'sign_in_needed', detail: 'Your session has ended, or there was none.', fix: 'Sign in.' });
  return Response.json(status.value, { headers: { 'cache-control': 'no-store' } });
}
