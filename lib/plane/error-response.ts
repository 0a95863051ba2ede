import type { ErrorView } from '@/lib/contracts/plane/errors';
import { errorCodes } from '@/lib/shared/error-codes';
import type { Fault } from '@/lib/shared/result';

/** The one place where a fault becomes an answer. Causes go to the log, never to the caller. */
export function errorResponse(fault: Fault, requestId: string): { readonly status: number; readonly body: ErrorView } {
  const { status, title } = errorCodes[fault.code];
  const errors = (fault.issues ?? []).map(({ path, message, fix, line, column }) => ({
    path,
    message,
    ...(fix === undefined ? {} : { fix }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }));
  return {
    // A code whose own status is 200 belongs to decisions; ending a call with it means the call could not be served.
    status: status === 200 ? 503 : status,
    body: {
      error: { code: fault.code, title, detail: fault.detail, ...(fault.fix === undefined ? {} : { fix: fault.fix }), errors },
      request_id: requestId,
    },
  };
}
