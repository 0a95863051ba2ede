import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/** Tools answer the same wherever they run: no telemetry, no update notices, no production mode inherited from the caller. */
function toolEnvironment(extra) {
  const env = { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1', NEXT_TELEMETRY_DISABLED: '1' };
  delete env.NODE_ENV;
  if (!process.stderr.isTTY) env.NO_COLOR = '1';
  return { ...env, ...extra };
}

/**
 * Runs a program in the root folder and resolves with its exit code. Its output goes to stderr, unless `capture` asks for its stdout.
 * When this process is told to end, the program is told too, so that an interrupted set-up leaves nothing running.
 */
export function run(command, args, { env = {}, capture = false } = {}) {
  return new Promise((resolve, reject) => {
    const stdout = capture ? 'pipe' : process.stderr;
    const child = spawn(command, args, { cwd: root, env: toolEnvironment(env), stdio: ['ignore', stdout, process.stderr] });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    const forward = (signal) => {
      child.kill(signal);
      child.once('close', () => process.exit(signal === 'SIGINT' ? 130 : 143));
    };
    process.once('SIGINT', forward);
    process.once('SIGTERM', forward);
    const settle = (finish) => {
      process.removeListener('SIGINT', forward);
      process.removeListener('SIGTERM', forward);
      finish();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (code, signal) => settle(() => resolve({ code: code ?? 1, signal, output })));
  });
}

/** As `run`, but a failure ends this process: nothing after it would work. */
export async function mustRun(command, args, options) {
  const { code, signal, output } = await run(command, args, options);
  if (code === 0) return output;
  process.stderr.write(`\n${[command, ...args].join(' ')} failed (${signal ?? code})\n`);
  process.exit(1);
}
