import { pause } from './pause';

const firstMs = 500;
const longestMs = 15_000;

/** Asks the plane whether it is ready, less and less often, until it is. Resolves early when it is over. */
export async function untilPlaneAnswers(planeUrl: string, signal: AbortSignal): Promise<void> {
  for (let wait = firstMs; !signal.aborted; wait = Math.min(longestMs, wait * 2)) {
    if (await isReady(planeUrl, signal)) return;
    await pause(wait, signal);
  }
}

async function isReady(planeUrl: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${planeUrl}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Whatever the reason: it does not answer, which is what was asked.
    return false;
  }
}
