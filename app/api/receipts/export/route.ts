import type { NextRequest } from 'next/server';

import { exportRead } from '@/lib/server/reads/export';
import { faultResponse } from '@/lib/server/shown-fault';

export const dynamic = 'force-dynamic';

/** A bundle as a file, or a report with the bundle in it, which is saved and not shown: shown here it would be a page of this server after all. A GET that leaves a receipt: the link works without a script, and a repeated one is repeated in the log. */
export async function GET(request: NextRequest): Promise<Response> {
  const file = await exportRead.read(Object.fromEntries(request.nextUrl.searchParams));
  if (!file.ok) return faultResponse(file.error);
  const { bytes, name } = file.value;
  return new Response(new Uint8Array(bytes), {
    headers: { 'content-type': name.endsWith('.html') ? 'text/html; charset=utf-8' : 'application/json', 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' },
  });
}
