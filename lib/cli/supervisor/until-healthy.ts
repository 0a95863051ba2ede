import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when the address answers 200. It has no deadline of its own: whoever waits is told through the signal. */
export async function untilHealthy(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (await answers(url)) return;
    await pause(100);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'manual' });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    // Not listening yet, or too busy to answer: asked again.
    return false;
  }
}
