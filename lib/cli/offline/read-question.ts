import { exitCode, type Terminal } from '@/lib/cli/command';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';

import { loadPolicy } from './load-policy';
import { readActions, readGiven } from './read-asked';

/** Policy, actions and context of a call; an exit code after saying what is wrong with them. */
export async function readQuestion(
  [file, ...more]: readonly string[],
  { action, context }: { readonly action?: string | undefined; readonly context?: string | undefined },
  terminal: Terminal,
) {
  if (file === undefined || more.length > 0) throw new UsageError('Give one policy.');
  if (action === undefined) throw new UsageError('Give the action: --action FILE or --action JSON.');
  const loaded = await loadPolicy(file);
  if (!loaded.ok) {
    printFault(terminal, loaded.error, file);
    return exitCode.refused;
  }
  const given = await readGiven(context);
  if (!given.ok) {
    printFault(terminal, given.error, context?.trimStart().startsWith('{') === true ? undefined : context);
    return exitCode.unusable;
  }
  const actions = await readActions(action, given.value);
  if (!actions.ok) {
    printFault(terminal, actions.error, action.trimStart().startsWith('{') ? undefined : action);
    return exitCode.unusable;
  }
  return { ...loaded.value, actions: actions.value };
}
