import autocannon from 'autocannon';

export type Measured = { readonly rps: number; readonly p50_ms: number; readonly p99_ms: number };

export type Call = { readonly path: string; readonly headers: Record<string, string>; readonly body: string };

/**
 * Drives one server with so many connections, each sending its next call when the last was answered, for so long. Calls
 * are dealt out to the connections in turn, so that what must not be shared (a session) belongs to one of them.
 * Throws when any call failed: a server that sheds load must not look fast.
 */
export async function drive(url: string, calls: readonly Call[], connections: number, seconds: number): Promise<Measured> {
  let dealt = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method: 'POST',
    setupClient: (client) => {
      const mine = dealt++ % connections;
      const own = calls.filter((_, at) => at % connections === mine);
      client.setRequests(own.map(({ path, headers, body }) => ({ method: 'POST', path, headers, body })));
    },
  });
  if (result.non2xx > 0 || result.errors > 0 || result.timeouts > 0) {
    throw new Error(`${String(result.non2xx)} calls were refused, ${String(result.errors)} failed, ${String(result.timeouts)} timed out.`);
  }
  return { rps: round(result['2xx'] / result.duration), p50_ms: result.latency.p50, p99_ms: result.latency.p99 };
}

const round = (value: number): number => Math.round(value * 10) / 10;
