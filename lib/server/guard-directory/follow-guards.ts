import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { followGuardDirectory } from '@/lib/services/guard-directories/follow-guard-directory';

import type { Logger } from '../logger';

/**
 * Keeps log and attached directories together while the console runs: when something happens in a directory, when a proposal changes here,
 * after a gap in listening, and now and then all the same. One run a directory at a time; what happens during one makes another.
 */
export function followGuards(parts: Pick<ConsoleParts, 'guards' | 'events'> & Parameters<typeof followGuardDirectory>[0], logger: Logger): () => void {
  const running = new Map<string, 'once' | 'again'>();
  const said = new Map<string, string>();
  const follow = (name: string): void => {
    if (running.has(name)) {
      running.set(name, 'again');
      return;
    }
    running.set(name, 'once');
    followGuardDirectory(parts, name)
      .then((followed) => report(name, followed.ok ? '' : followed.error.detail))
      .catch((cause: unknown) => logger.error('following a guard directory failed', { directory: name, cause }))
      .finally(() => {
        const again = running.get(name) === 'again';
        running.delete(name);
        if (again) follow(name);
      });
  };
  /** Each change once, not each look: a directory that cannot be read stays so for hours. */
  const report = (name: string, fault: string): void => {
    if (said.get(name) === fault) return;
    said.set(name, fault);
    if (fault !== '') logger.warn('a guard directory cannot be followed', { directory: name, fault });
  };
  const all = (): void => parts.guards.attached.forEach(({ name }) => follow(name));
  if (parts.guards.attached.length === 0) return () => undefined;
  const stopWatching = parts.guards.watch(follow);
  const stopListening = parts.events.subscribe(({ kind }) => {
    if (kind === 'proposal_changed') all();
  }, all);
  all();
  return () => {
    stopWatching();
    stopListening();
  };
}
