import { inParallel } from './in-parallel';
import type { KnownWorld } from './known-world';
import type { RecordedTrace } from './recorded-trace';
import type { ReplayStage } from './replay-stage';
import { replayTrace } from './replay-trace';
import type { ReplayedTrace } from './replayed-trace';

const sessionsAtOnce = 16;

/** Plays every trace on the stage, sixteen sessions at a time, and closes the stage however it ends. */
export async function replayAll(
  traces: readonly RecordedTrace[],
  worlds: ReadonlyMap<string, KnownWorld>,
  stage: ReplayStage,
  done: (count: number) => void,
  recipients?: ReadonlySet<string>,
): Promise<readonly ReplayedTrace[]> {
  let count = 0;
  try {
    return await inParallel(traces, sessionsAtOnce, async (trace, at) => {
      const replayed = await replayTrace(trace, stage.castFor(trace, at), worlds.get(trace.suite) ?? null, recipients);
      done(++count);
      return replayed;
    });
  } finally {
    await stage.close();
  }
}
