import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

/** An owner turns a waiting key down. Tightening: the session is enough. */
export const refuseEnrolment = (parts: ConsoleParts, enrolment: string): Promise<Result<{ readonly enrolment: string }>> =>
  parts.transactor.withHead(async (tx) =>
    (await parts.people.resolveEnrolment(tx, enrolment, 'refused')) ? ok({ enrolment }) : fail('not_found', 'No such key is waiting.'),
  );
