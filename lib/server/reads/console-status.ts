import type { ConsoleStatus } from '@/lib/contracts/console/overview';
import { consoleStatus } from '@/lib/services/console/views/console-status';
import type { Result } from '@/lib/shared/result';
import { ok } from '@/lib/shared/result';

import { runtimeOrFault } from '../runtime-or-fault';

/** The frame of every screen, for people who are signed in and for the sign-in page alike: it names no request, agent or person's address. */
export async function readStatus(): Promise<Result<ConsoleStatus>> {
  const runtime = await runtimeOrFault();
  return runtime.ok ? ok(await consoleStatus(runtime.value.parts)) : runtime;
}
