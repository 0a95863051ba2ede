import { keepRunning, type KeptProgram } from '@/lib/cli/supervisor/keep-running';
import { manageDatabase, type ManagedDatabase } from '@/lib/cli/supervisor/managed-database';
import type { Launch, Program } from '@/lib/cli/supervisor/program';
import { runToEnd } from '@/lib/cli/supervisor/run-to-end';
import { untilHealthy } from '@/lib/cli/supervisor/until-healthy';
import { migrate } from '@/lib/db/migrate';

/** What runs together, in the order in which it starts; it stops in the opposite one. */
export type Plan = {
  readonly root: string;
  readonly stateDirectory: string;
  /** Undefined: the embedded server of the state directory. */
  readonly databaseUrl: string | undefined;
  readonly migrations: string;
  readonly env: Readonly<Record<string, string>>;
  /** Run to their end on the migrated database, before anything serves. */
  readonly before: readonly Program[];
  readonly services: readonly Program[];
  /** Start when every service answers. */
  readonly followers: readonly Program[];
  /** Run to their end when all is up. */
  readonly after: readonly Program[];
  readonly write: (line: string) => void;
  readonly ready: () => void;
};

/**
 * Starts everything of a plan, keeps it running until the signal says stop, and ends it in order: programs first, the database last, so
 * that nothing loses it while it works. Throws the reason when something cannot be started or kept; by then all of it has ended.
 */
export async function supervise(plan: Plan, stopSignal: AbortSignal): Promise<void> {
  const failure = new AbortController();
  const stop = AbortSignal.any([stopSignal, failure.signal]);
  const fail = (reason: Error): void => {
    failure.abort(reason);
  };
  const running: KeptProgram[] = [];
  let database: ManagedDatabase | undefined;
  try {
    if (plan.databaseUrl === undefined) database = await manageDatabase(plan.stateDirectory, { moved, lost: fail, write: plan.write });
    const url = plan.databaseUrl ?? database?.url ?? '';
    const applied = await migrate(url, plan.migrations);
    if (applied.length > 0) plan.write(`[database] applied ${applied.join(', ')}`);

    const launch: Launch = { root: plan.root, env: { ...plan.env, DATABASE_URL: url }, write: plan.write };
    for (const program of plan.before) await runToEnd(program, launch, stop);
    const start = (program: Program): void => {
      running.push(keepRunning(program, launch, fail));
    };
    if (!stop.aborted) plan.services.forEach(start);
    await untilAllHealthy(plan.services, running, stop);
    if (!stop.aborted) plan.followers.forEach(start);
    for (const program of plan.after) await runToEnd(program, launch, stop);
    if (!stop.aborted) plan.ready();
    await aborted(stop);
  } catch (error) {
    if (!stop.aborted) fail(error instanceof Error ? error : new Error(String(error)));
  } finally {
    for (const program of running.toReversed()) await program.stop();
    await database?.stop();
  }
  if (failure.signal.aborted) throw failure.signal.reason;

  function moved(url: string): void {
    for (const program of running) program.restart({ DATABASE_URL: url }).catch(fail);
  }
}

async function untilAllHealthy(programs: readonly Program[], running: readonly KeptProgram[], stop: AbortSignal): Promise<void> {
  await Promise.all(
    programs.map(async ({ name, healthUrl }) => {
      if (healthUrl !== undefined) await untilHealthy(healthUrl, stop);
      running.find((program) => program.name === name)?.markReady();
    }),
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
