import { commandTable } from '@/lib/cli/command-table';
import { runCommand } from '@/lib/cli/run-command';

import type { Said } from './run-cli';

/** Runs a command of `countersign` and lets somebody act on what it prints, while it goes on. */
export async function hearCli(env: Readonly<Record<string, string>>, args: readonly string[], hear: (text: string) => Promise<void>): Promise<Said> {
  let out = '';
  let err = '';
  const acting: Promise<void>[] = [];
  const code = await runCommand(args, {
    env,
    out: (text) => {
      out += text;
      acting.push(hear(text));
    },
    err: (line) => {
      err += `${line}\n`;
    },
  }, commandTable);
  await Promise.all(acting);
  return { code, out, err };
}
