import { runtimeOrFault } from '@/lib/server/runtime-or-fault';
import { faultResponse } from '@/lib/server/shown-fault';

export const dynamic = 'force-dynamic';

/** Whether this process can serve: it has its parts and the database answers. Says nothing else to whoever asks. */
export async function GET(): Promise<Response> {
  const runtime = await runtimeOrFault();
  if (!runtime.ok) return faultResponse(runtime.error);
  try {
    await runtime.value.parts.reads.now();
    return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
  } catch (cause) {
    runtime.value.logger.error('the database does not answer', { cause });
    return faultResponse({ code: 'unavailable', detail: 'The database does not answer.' });
  }
}
