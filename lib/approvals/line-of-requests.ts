import type { ApprovalId } from '@/lib/shared/ids';

type Placed = { readonly approval: ApprovalId; readonly supersedes?: ApprovalId };

/**
 * The requests that one goes on from, oldest first and itself last: each took the place of the one before, that had gone stale.
 * `requests`: those about its action, in log order.
 */
export function lineOfRequests<Request extends Placed>(request: Request, requests: readonly Request[]): readonly [Request, ...Request[]] {
  const line: [Request, ...Request[]] = [request];
  let { supersedes } = request;
  for (const one of requests.toReversed()) {
    if (one.approval !== supersedes) continue;
    line.unshift(one);
    ({ supersedes } = one);
  }
  return line;
}
