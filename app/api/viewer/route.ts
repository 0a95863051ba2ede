import { getViewer } from '@/lib/server/get-viewer';
import { runtimeOrFault } from '@/lib/server/runtime-or-fault';
import { faultResponse } from '@/lib/server/shown-fault';

export const dynamic = 'force-dynamic';

/** The viewer, or null: a page that was left open learns that its session has ended. */
export async function GET(): Promise<Response> {
  const runtime = await runtimeOrFault();
  if (!runtime.ok) return faultResponse(runtime.error);
  return Response.json(await getViewer(), { headers: { 'cache-control': 'no-store' } });
}
