import type { ErrorBody, ShownFault } from '@/lib/contracts/console/action-result';
import { isKeyNotDelegated } from '@/lib/ports/signer';
import { isClockSteppedBack, isCommitUnknown } from '@/lib/ports/store-faults';
import { errorCodes } from '@/lib/shared/error-codes';
import type { Fault } from '@/lib/shared/result';

import type { Logger } from './logger';

/** A fault for the browser: its code, title and advice, never its cause. */
export const shownFault = ({ code, detail, fix, issues }: Fault): ShownFault => ({
  code,
  title: errorCodes[code].title,
  detail,
  ...(fix === undefined ? {} : { fix }),
  issues: issues ?? [],
});

/** What was thrown, as an expected fault where it is one. Everything else is logged with its cause and answered as `internal`. */
export function faultOfThrown(cause: unknown, logger: Logger, where: string): Fault {
  if (isClockSteppedBack(cause)) return { code: 'clock_stepped_back', detail: cause.message };
  if (isKeyNotDelegated(cause)) {
    logger.error('the trust root lets no key of this process sign', { where, cause });
    return { code: 'service_key_not_delegated', detail: 'No key of this console may sign at this position of the log. Nothing was recorded.', fix: 'Try again; if it stays so, an owner has to delegate the key in the trust root.' };
  }
  if (isCommitUnknown(cause)) {
    logger.error('a commit is in doubt', { where, cause });
    return { code: 'unavailable', detail: 'The connection to the database broke. Whether this was recorded is not known.', fix: 'Look again before you repeat it.' };
  }
  logger.error('an unexpected fault', { where, cause });
  return { code: 'internal', detail: 'This is a fault of ours; the log of the console has the details.' };
}

/** A refused read. A negative decision has the status 200 in the plane; here it still means that nothing was answered. */
export function faultResponse(fault: Fault): Response {
  const { status } = errorCodes[fault.code];
  const body: ErrorBody = { error: shownFault(fault) };
  return Response.json(body, { status: status === 200 ? 409 : status, headers: { 'cache-control': 'no-store' } });
}
