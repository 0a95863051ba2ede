import { readGitCall } from './git-command';

/** Options of a program that may stand before its sub-command: `values` take the next word, `flags` stand alone. */
type GlobalOptions = {
  readonly values: RegExp;
  readonly flags: RegExp;
  /** Values that are folders or files. */
  readonly folders?: RegExp;
};

const programs: ReadonlyMap<string, GlobalOptions> = new Map<string, GlobalOptions>([
  ['docker', { values: /^(?:-c|--context|-l|--log-level)$/, flags: /^(?:-D|--debug|--version|-v|--help)$/ }],
  ['podman', { values: /^(?:--log-level|--connection|-c)$/, flags: /^(?:--remote|-r|--version|-v|--help)$/ }],
  ['kubectl', { values: /^(?:-n|--namespace|--context|--cluster|--user|--request-timeout|-v)$/, flags: /^(?:--warnings-as-errors|--help)$/ }],
  ['helm', { values: /^(?:-n|--namespace|--kube-context)$/, flags: /^(?:--debug|--help)$/ }],
  ['npm', { values: /^(?:--prefix|-C|-w|--workspace|--loglevel)$/, folders: /^(?:--prefix|-C)$/, flags: /^(?:-s|--silent|-q|--quiet|-d|--verbose|--version|-v|--help)$/ }],
  ['pnpm', { values: /^(?:-C|--dir|--filter|-F)$/, folders: /^(?:-C|--dir)$/, flags: /^(?:-r|--recursive|-s|--silent|--version|-v|--help)$/ }],
  ['yarn', { values: /^(?:--cwd)$/, folders: /^--cwd$/, flags: /^(?:-s|--silent|--verbose|--version|-v|--help)$/ }],
  ['gh', { values: /^(?:-R|--repo)$/, flags: /^(?:--version|--help)$/ }],
  ['cargo', { values: /^(?:-C|--color)$/, folders: /^-C$/, flags: /^(?:-q|--quiet|-v|--verbose|--offline|--locked|--frozen|--version|-V|--help)$/ }],
  ['systemctl', { values: /^(?:-t|--type|-n|--lines|-o|--output)$/, flags: /^(?:--user|--system|--no-pager|--no-ask-password|-q|--quiet|--version|--help|--failed|--all|-a)$/ }],
  ['terraform', { values: never(), flags: /^(?:-chdir=.*|-version|-help)$/ }],
  ['aws', { values: /^(?:--profile|--region|--output|--query)$/, flags: /^(?:--debug|--no-paginate|--version)$/ }],
]);

function never(): RegExp {
  return /^(?!)/;
}

/**
 * The arguments from the sub-command on, so that `git -C x reset --hard` meets a rule on `git reset --hard`. A global
 * option that is not known could take the next word or run something: then the command is opaque.
 */
export function withoutGlobalOptions(
  name: string,
  words: readonly string[],
): { readonly arguments: readonly string[]; readonly paths: readonly string[]; readonly opaque: boolean } {
  if (name === 'git') {
    const call = readGitCall(words);
    return { arguments: call.arguments, paths: call.folders, opaque: call.opaque };
  }
  const options = programs.get(name);
  if (!options || words[0]?.startsWith('-') !== true) return { arguments: words, paths: [], opaque: false };
  const paths: string[] = [];
  let opaque = false;
  let i = 0;
  for (; i < words.length; i++) {
    const word = words[i] ?? '';
    if (!word.startsWith('-')) break;
    const equals = word.indexOf('=');
    const option = equals < 0 ? word : word.slice(0, equals);
    if (options.flags.test(word)) continue;
    if (!options.values.test(option)) opaque = true;
    else {
      const value = equals < 0 ? words[++i] : word.slice(equals + 1);
      if (value !== undefined && options.folders?.test(option) === true) paths.push(value);
    }
  }
  // Only options: the program is asked about itself.
  return i >= words.length ? { arguments: words, paths, opaque } : { arguments: words.slice(i), paths, opaque };
}
