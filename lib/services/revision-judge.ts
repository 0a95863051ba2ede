import type { ChangeClass } from '@/lib/authority/policy-revision';

import type { JudgeChange, JudgedText } from './judge-change';

/** Null: it is being found out, and what was in force goes on meanwhile. */
export type KnownChange = (base: JudgedText, next: JudgedText) => Promise<ChangeClass | null>;

/** Pairs that are remembered: what is in force and what replaces it, a few times over. */
const most = 8;

/**
 * Remembers classes, so that each pair of texts is compared once. A process that serves already does not wait for one:
 * it is told that there is none yet, and `found` is called when there is. One that serves nothing yet waits.
 */
export function revisionJudge(judge: JudgeChange, found: () => void): (serves: boolean) => KnownChange {
  const known = new Map<string, ChangeClass>();
  const running = new Map<string, Promise<ChangeClass>>();
  const keyOf = (base: JudgedText, next: JudgedText): string => JSON.stringify([base.format, base.text, next.format, next.text]);

  const start = (key: string, base: JudgedText, next: JudgedText): Promise<ChangeClass> => {
    const begun = running.get(key);
    if (begun) return begun;
    const work = judge(base, next)
      // A thread that failed found nothing: then the most signatures are asked for.
      .catch((): ChangeClass => 'not_proved')
      .then((change) => {
        const [oldest] = known.keys();
        if (known.size >= most && oldest !== undefined) known.delete(oldest);
        known.set(key, change);
        running.delete(key);
        return change;
      });
    running.set(key, work);
    return work;
  };

  return (serves) => async (base, next) => {
    const key = keyOf(base, next);
    const change = known.get(key);
    if (change !== undefined) return change;
    if (!serves) return await start(key, base, next);
    if (!running.has(key)) void start(key, base, next).then(found);
    return null;
  };
}
