import type { ErrorBody, ShownFault } from '@/lib/contracts/console/action-result';
import { errorCodes, type ErrorCode } from '@/lib/shared/error-codes';

/** A read that was refused, or that never came back: with a closed code, so that every page can say what happened. */
export class ReadFault extends Error {
  readonly shown: ShownFault;

  constructor(shown: ShownFault) {
    super(shown.detail);
    this.name = 'ReadFault';
    this.shown = shown;
  }
}

/**
 * Reads a view from the console's own server. The body is the view type that the contract of this path names: server and
 * page are built together, and what gets signed is computed again and compared with the server's digest.
 * Throws a `ReadFault`, and nothing else unless the request was cancelled.
 */
export async function readView<View>(path: string, signal?: AbortSignal): Promise<View> {
  const response = await request(path, signal);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as View;
  throw new ReadFault(isErrorBody(body) ? body.error : strange(response.status));
}

/** The fault to show for whatever a query threw. */
export const shownFault = (error: unknown): ShownFault => (error instanceof ReadFault ? error.shown : unreachable());

async function request(path: string, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch(path, { headers: { accept: 'application/json' }, cache: 'no-store', ...(signal ? { signal } : {}) });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new ReadFault(unreachable());
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' && Object.hasOwn(errorCodes, error.code);
}

function strange(status: number): ShownFault {
  const code: ErrorCode = status === 401 ? 'sign_in_needed' : status === 403 ? 'forbidden' : status === 404 ? 'not_found' : status >= 500 ? 'unavailable' : 'internal';
  return { code, title: errorCodes[code].title, detail: `The console answered with status ${status}.`, fix: status === 401 ? 'Sign in again.' : 'Try again in a moment.', issues: [] };
}

/** What is told when the console's server gave no answer at all. */
export function unreachable(): ShownFault {
  return { code: 'unavailable', title: errorCodes.unavailable.title, detail: 'The console’s server did not answer.', fix: 'Check that it runs and that this device is online.', issues: [] };
}
