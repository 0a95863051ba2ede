import { consoleRuntime } from './console-runtime';
import { environment } from './env';
import { createLogger } from './logger';

/**
 * Joins the console's parts before it answers. A console that cannot start ends, because Next would stay up and answer
 * every request with an error.
 */
export async function startServing(): Promise<void> {
  try {
    const { consoleUrl, sessionSecret } = environment();
    if (sessionSecret === undefined) throw new Error('NEXTAUTH_SECRET is not set: sessions cannot be sealed.');
    // next-auth builds its addresses from this one, whatever a request says.
    process.env['NEXTAUTH_URL'] ??= consoleUrl;
    const { parts } = await consoleRuntime();
    await parts.inForce.refresh();
  } catch (cause) {
    createLogger('console', { level: 'error' }).error('the console cannot start', { cause });
    process.exit(1);
  }
}
