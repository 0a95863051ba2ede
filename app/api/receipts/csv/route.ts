import type { NextRequest } from 'next/server';

import { exportTableRead } from '@/lib/server/reads/export-table';
import { faultResponse } from '@/lib/server/shown-fault';
import { textStream } from '@/lib/server/text-stream';

export const dynamic = 'force-dynamic';

/** A table as a file, sent line by line. A GET that leaves a receipt: the link works without a script, and a repeated one is repeated in the log. */
export async function GET(request: NextRequest): Promise<Response> {
  const table = await exportTableRead.read(Object.fromEntries(request.nextUrl.searchParams));
  if (!table.ok) return faultResponse(table.error);
  const { lines, name } = table.value;
  return new Response(textStream(lines), {
    headers: { 'content-type': 'text/csv; charset=utf-8; header=present', 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  });
}
