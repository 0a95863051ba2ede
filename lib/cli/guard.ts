import { guardCommands } from '@/lib/cli/guard/guard-commands';
import { runCommand } from '@/lib/cli/run-command';

// The `guard` commands alone. What they print is short and written at once, so that a reader who leaves early is no fault either.
process.stdout.on('error', (error: Error) => {
  if (!('code' in error && error.code === 'EPIPE')) throw error;
});

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (line) => void process.stderr.write(`${line}\n`),
  env: process.env,
}, guardCommands);
