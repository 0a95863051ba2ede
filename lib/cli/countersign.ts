import { commandTable } from '@/lib/cli/command-table';
import { runCommand } from '@/lib/cli/run-command';

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (error: Error) => {
  if (!('code' in error && error.code === 'EPIPE')) throw error;
});

// Set, not called: what was written to a pipe still has to leave.
process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (line) => void process.stderr.write(`${line}\n`),
  ...(process.stderr.isTTY ? { progress: (line: string) => void process.stderr.write(`\r${line}\u001b[K`) } : {}),
  env: process.env,
}, commandTable);
