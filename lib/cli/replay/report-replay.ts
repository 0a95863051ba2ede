import type { ReplayedTrace } from './replayed-trace';
import { listHeld, listMissed } from './list-held';
import { scoreReplay, type ReplayScore } from './score-replay';
import { wilsonInterval } from './wilson';

/** The counts, and beside them how far they can be trusted and what they are made of. Shares are from 0 to 1. */
export function reportReplay(replayed: readonly ReplayedTrace[]): object {
  const suites = [...new Set(replayed.map(({ trace }) => trace.suite))].sort();
  const score = scoreReplay(replayed);
  return {
    ...score,
    intervals_95: intervalsOf(score),
    suites: Object.fromEntries(suites.map((suite) => {
      const own = scoreReplay(replayed.filter(({ trace }) => trace.suite === suite));
      return [suite, { ...own, intervals_95: intervalsOf(own) }];
    })),
    held: listHeld(replayed),
    missed: listMissed(replayed),
  };
}

const intervalsOf = ({ benign, attack }: ReplayScore) => ({
  straight_through: wilsonInterval(benign.straight_through, benign.traces),
  held: wilsonInterval(benign.held, benign.traces),
  refused: wilsonInterval(benign.refused, benign.traces),
  stopped: wilsonInterval(attack.stopped, attack.traces),
});
