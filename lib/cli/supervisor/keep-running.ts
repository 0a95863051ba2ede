import type { ChildProcess } from 'node:child_process';
import { end, ended, launch, type Launch, type Program } from '@/lib/cli/supervisor/program';

export type KeptProgram = {
  readonly name: string;
  /** Tells that it has answered: from now on it is restarted for ever. */
  markReady(): void;
  /** Ends and starts it anew with other variables. */
  restart(env: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
  pid(): number | undefined;
};

const graceMs = 8000;
const longestDelayMs = 15_000;
const calmMs = 30_000;
const triesBeforeReady = 3;

/**
 * Keeps a program running: one that ends is started again, after a delay that doubles while it keeps ending soon. A program that never
 * answered is given up after a few tries, because then its configuration is at fault and an endless loop would hide that.
 */
export function keepRunning(program: Program, options: Launch, giveUp: (reason: Error) => void): KeptProgram {
  let { env } = options;
  let stopping = false;
  let ready = false;
  let ends = 0;
  let retry: NodeJS.Timeout | undefined;
  let child = start();

  function start(): ChildProcess {
    const startedAt = performance.now();
    const started = launch(program, { ...options, env });
    void ended(started).then((how) => {
      if (stopping || child !== started) return;
      ends = performance.now() - startedAt > calmMs ? 1 : ends + 1;
      options.write(`[${program.name}] ended with ${how}`);
      if (!ready && ends >= triesBeforeReady) {
        giveUp(new Error(`The ${program.name} ended ${String(ends)} times without ever answering (${how}).`));
        return;
      }
      retry = setTimeout(
        () => {
          child = start();
        },
        Math.min(longestDelayMs, 125 * 2 ** ends),
      );
    });
    return started;
  }

  async function halt(): Promise<void> {
    clearTimeout(retry);
    await end(child, graceMs);
  }

  return {
    name: program.name,
    markReady: () => {
      ready = true;
    },
    restart: async (changed) => {
      env = { ...env, ...changed };
      stopping = true;
      await halt();
      stopping = false;
      child = start();
    },
    stop: async () => {
      stopping = true;
      await halt();
    },
    pid: () => child.pid,
  };
}
