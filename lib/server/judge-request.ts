/** What becomes of a request before any page or route sees it. */
export type Verdict =
  | { readonly kind: 'pass' }
  /** To the same path under the console's own name. */
  | { readonly kind: 'redirect' }
  | { readonly kind: 'refuse'; readonly status: 403 | 421; readonly why: string };

export type RequestFacts = {
  readonly method: string;
  /** The Host header as sent. */
  readonly host: string | null;
  /** Path with its query. */
  readonly path: string;
  /** `Sec-Fetch-Site`, which browsers set and pages cannot. */
  readonly fetchSite: string | null;
  /** `Origin`, which browsers set on whatever may change something. */
  readonly origin: string | null;
};

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Only the console's own name is served: a page of another site that had its name point here (DNS rebinding) would
 * otherwise be of "our" origin. Other spellings of the loopback address are sent to the one that sign-in works under.
 */
export function judgeRequest({ method, host, path, fetchSite, origin }: RequestFacts, consoleUrl: string): Verdict {
  const own = new URL(consoleUrl);
  const name = host?.toLowerCase() ?? '';
  const reads = method === 'GET' || method === 'HEAD';
  if (name !== own.host) {
    const sameMachine = loopbackNames.has(own.hostname) && loopbackNames.has(name.replace(/:\d+$/, '')) && portOf(name) === portOf(own.host);
    if (!sameMachine) return { kind: 'refuse', status: 421, why: 'This console does not answer to that name.' };
    // The supervisor asks by address, and follows nothing.
    if (reads) return path === '/api/health' ? { kind: 'pass' } : { kind: 'redirect' };
    // Next itself sends a server action on by address when another of its workers has it.
  }
  // Compared as text: an origin that cannot be parsed is not ours either, and nobody after this has to parse it.
  const foreign = (fetchSite !== null && fetchSite !== 'same-origin' && fetchSite !== 'none') || (origin !== null && origin !== own.origin);
  if (!reads && foreign) return { kind: 'refuse', status: 403, why: 'Another site sent this.' };
  return { kind: 'pass' };
}

const portOf = (host: string): string => /:(\d+)$/.exec(host)?.[1] ?? '';
