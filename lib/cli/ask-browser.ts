import { setTimeout as pause } from 'node:timers/promises';

import type { Terminal } from '@/lib/cli/command';
import type { OpenWorkspace } from '@/lib/cli/open-console';
import { UsageError } from '@/lib/cli/usage-error';
import type { SigningRequestRow } from '@/lib/ports/signing-request-store';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { verifySignature } from '@/lib/server/verify-signature';
import { randomIds } from '@/lib/server/random-ids';
import { issueSigningRequest, requestDigest, type RequestedSignature } from '@/lib/services/console/signing-request';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

const lookEveryMs = 400;
const usualWaitSeconds = 900;

/** `--wait SECONDS`; left out: a quarter of an hour. */
export function waitSeconds(given: string | undefined): number {
  if (given === undefined) return usualWaitSeconds;
  if (!/^\d{1,5}$/.test(given)) throw new UsageError('--wait takes seconds.');
  return Number(given);
}

/**
 * Prints a one-time link where an owner signs in the browser, and waits until they have. The row that comes back is what a database says:
 * callers check every signature in it against their own bytes. Failures: `policy_signature_missing` when nobody signed in time, and what
 * `gaveUp` finds.
 */
export async function askBrowser(
  { out, err }: Pick<Terminal, 'out' | 'err'>,
  { stores, settings }: OpenWorkspace,
  request: RequestedSignature,
  seconds: number,
  gaveUp: () => Promise<Result<null>> = async () => ok(null),
): Promise<Result<SigningRequestRow>> {
  const parts = { ...stores, ids: randomIds(), cryptography: { sha256: nodeSha256, verify: verifySignature } };
  const { token } = await issueSigningRequest(parts, request);
  out(`${settings.consoleUrl}/policies/sign?link=${token}\n`);
  err(`Open this link where an owner’s key is. It works once and for an hour, and shows sha256:${digestOf(nodeSha256, utf8(request.text))}.`);
  const digest = requestDigest(parts, token);
  const until = Date.now() + seconds * 1000;
  do {
    const row = await parts.signingRequests.find(digest);
    if (row !== undefined && row.done_at !== null) return ok(row);
    const stopped = await gaveUp();
    if (!stopped.ok) return stopped;
    if (Date.now() < until) await pause(lookEveryMs);
  } while (Date.now() < until);
  return fail('policy_signature_missing', seconds === 0 ? 'It is not signed yet.' : `Nobody signed within ${String(seconds)} s.`, { fix: 'Run the command again for a new link, or give an owner’s key file with --key.' });
}
