/** For programs that can be told to run something that is not a word of its own in the command. */
const ways: ReadonlyMap<string, (words: readonly string[]) => boolean> = new Map([
  ...['python', 'python2', 'python3', 'pypy'].map((name) => [name, inline(/^-[a-zA-Z]*c$/)] as const),
  ...['perl', 'ruby', 'lua', 'osascript', 'Rscript', 'elixir', 'groovy'].map((name) => [name, inline(/^-[a-zA-Z]*[eErn]/)] as const),
  ...['node', 'nodejs', 'bun', 'tsx', 'ts-node'].map((name) => [name, inline(/^(?:-[a-z]*[epri]|--eval|--print|--require|--import|--loader|--experimental-loader)/)] as const),
  ['php', inline(/^-[rRBE]/)] as const,
  ['deno', (words: readonly string[]) => words[0] === 'eval'] as const,
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, any(/system|getline|[|>]|^-[fei]/)] as const),
  ...['sed', 'gsed'].map((name) => [name, any(/(?:^|[;{}\n0-9$/])\s*[ewrWRF](?:\s|$)|\/[gpIMim0-9]*[ew]|^-f/)] as const),
  ['git', any(/^(?:--upl|--rec(?!u)|--exe|--extc|--open|--ext-|--textc|-O.+)|^(?:bisect|filter-branch|foreach|difftool|mergetool|hook|config|ext::.*)$/)] as const,
  ['tar', any(/^(?:--(?:checkpoint-|to-c|use-c|info-s|new-v|rsh-)|-[a-zA-Z]*[IF])/)] as const,
  ['rsync', any(/^(?:-[a-zA-Z]*e|--rsh|--rsync-p)/)] as const,
  ...['scp', 'sftp'].map((name) => [name, any(/^-[oSFD]/)] as const),
  ['curl', any(/^(?:-K|--conf)/)] as const,
  ['wget', any(/^(?:--use-a|--post-f|--body-f|-e|--exec|--conf)/)] as const,
  ...['vi', 'vim', 'nvim', 'view', 'ex', 'ed', 'emacs', 'less', 'more', 'man', 'gdb', 'screen', 'tmux', 'expect', 'at', 'batch', 'crontab', 'nmap', 'psql', 'mysql', 'sqlite3', 'm4', 'make', 'gmake', 'ld', 'ld.so'].map(
    (name) => [name, any(/^[+]|!|^-(?:c|S|x|e|ex|P|f|E|o|-(?:cmd|eval|pager|script|file|config|command|shell).*)/)] as const,
  ),
  ['zip', any(/^-(?:[a-zA-Z]*T|-unzip-c)/)] as const,
  ['docker', any(/^(?:-H|--host|--config)/)] as const,
  ['npm', any(/^--(?:script-shell|node-options|call|shell)|^-c$/)] as const,
  ['npx', any(/^(?:-c|--call)/)] as const,
  ['sort', any(/^--comp/)] as const,
]);

/** True when the arguments carry a program as text, or name one in an option: then the list of programs is not whole. */
export const runsOtherPrograms = (name: string, words: readonly string[]): boolean => ways.get(name)?.(words) ?? false;

/** Options count only before the first operand: after it they belong to the script. */
function inline(pattern: RegExp): (words: readonly string[]) => boolean {
  return (words) => {
    // No script at all: the program reads one from its input.
    if (words.length === 0 || words.includes('-')) return true;
    for (const word of words) {
      if (!word.startsWith('-')) return false;
      if (pattern.test(word)) return true;
    }
    return !words.some((word) => /^(?:-v|-V|--version|--help)$/.test(word));
  };
}

function any(pattern: RegExp): (words: readonly string[]) => boolean {
  return (words) => words.some((word) => pattern.test(word));
}
