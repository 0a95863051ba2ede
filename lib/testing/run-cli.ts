import { commandTable } from '@/lib/cli/command-table';
import { runCommand } from '@/lib/cli/run-command';

export type Said = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command of `countersign` as its own process would, in this one: same arguments, environment given, output kept. */
export async function runCli(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Said> {
  let out = '';
  let err = '';
  const code = await runCommand(args, {
    env,
    out: (text) => {
      out += text;
    },
    err: (line) => {
      err += `${line}\n`;
    },
  }, commandTable);
  return { code, out, err };
}
