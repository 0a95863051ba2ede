import { readVerifierFile } from '@/lib/server/verifier-file';

export const dynamic = 'force-dynamic';

/** Public: the verifier as one file to keep. It is saved, not shown: shown here it would be a page of this server after all. */
export async function GET(): Promise<Response> {
  return new Response(await readVerifierFile(), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-disposition': 'attachment; filename="verify.html"', 'cache-control': 'no-store' },
  });
}
