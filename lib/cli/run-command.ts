import { exitCode, type Command, type CommandTable, type Terminal } from '@/lib/cli/command';
import { isParseArgsError, UsageError } from '@/lib/cli/usage-error';

/** Finds the command that the arguments name and runs it. Resolves with the exit code; never throws. */
export async function runCommand(args: readonly string[], terminal: Terminal, commandTable: CommandTable): Promise<number> {
  const [first, second] = args;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const asked = first !== undefined;
    if (asked) terminal.out(overview(commandTable));
    else terminal.err(overview(commandTable).trimEnd());
    return asked ? exitCode.done : exitCode.unusable;
  }
  const name = [`${first} ${second ?? ''}`, first].find((words) => Object.hasOwn(commandTable, words));
  const entry = name === undefined ? undefined : commandTable[name];
  if (name === undefined || entry === undefined) {
    const group = Object.keys(commandTable).filter((words) => words.startsWith(`${first} `));
    if (group.length > 0 && (second === '--help' || second === '-h')) {
      terminal.out(overview(commandTable, group));
      return exitCode.done;
    }
    terminal.err(`error: There is no command "${group.length > 0 && second !== undefined ? `${first} ${second}` : first}".`);
    terminal.err(overview(commandTable, group).trimEnd());
    return exitCode.unusable;
  }
  const { command } = await entry.load();
  const rest = args.slice(name.split(' ').length);
  if (rest.slice(0, endOfOptions(rest)).some((arg) => arg === '--help' || arg === '-h')) {
    terminal.out(`${command.usage}\n`);
    return exitCode.done;
  }
  return await guarded(command, rest, terminal);
}

async function guarded(command: Command, args: string[], terminal: Terminal): Promise<number> {
  try {
    return await command.run(args, terminal);
  } catch (error) {
    for (const [at, reason] of reasons(error).entries()) terminal.err(at === 0 ? `error: ${reason}` : `  because: ${reason}`);
    if (error instanceof UsageError || isParseArgsError(error)) terminal.err(`\n${command.usage}`);
    return exitCode.unusable;
  }
}

function reasons(error: unknown): string[] {
  if (error instanceof AggregateError && error.message === '') return error.errors.flatMap(reasons);
  if (!(error instanceof Error)) return [String(error)];
  return error.cause === undefined ? [error.message] : [error.message, ...reasons(error.cause)];
}

const endOfOptions = (args: readonly string[]): number => {
  const at = args.indexOf('--');
  return at < 0 ? args.length : at;
};

function overview(commandTable: CommandTable, names: readonly string[] = []): string {
  const shown = Object.entries(commandTable).filter(([name]) => names.length === 0 || names.includes(name));
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = shown.map(([name, { does }]) => `  ${name.padEnd(width)}  ${does}`);
  return `usage: countersign COMMAND …\n\n${lines.join('\n')}\n\n"countersign COMMAND --help" says more. Settings come from the environment: see .env.example.\n`;
}
