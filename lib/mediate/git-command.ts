import { optionsOf, readOptions } from './read-options';

/** A call of git: from the sub-command on, the folders that options name, and whether it may run what is not named here. */
export type GitCall = { readonly arguments: readonly string[]; readonly folders: readonly string[]; readonly opaque: boolean };

/** `-c` and the like set what git runs; another git folder brings its own configuration, and with it hooks and pagers. */
const before = optionsOf('pPvh C: c:! --paginate --no-pager --bare --no-replace-objects --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-lazy-fetch --version --help --namespace: --git-dir:! --work-tree:! --exec-path?! --config-env:! --attr-source:');

/** Anything else may be an alias, which can be any program. */
const subCommands = new Set(
  `add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean clone commit commit-tree
  config count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep hash-object help init log ls-files ls-remote
  ls-tree merge merge-base merge-tree mktag mktree mv name-rev notes pack-refs prune pull push range-diff read-tree rebase reflog remote repack replace
  request-pull rerere reset restore rev-list rev-parse revert rm shortlog show show-branch show-ref sparse-checkout stash status stripspace submodule switch
  symbolic-ref tag update-index update-ref var verify-commit verify-pack verify-tag version whatchanged worktree write-tree`.split(/\s+/),
);

/** Git completes shortened long options, so their beginnings count. */
const running = /^--(?:upl|rec(?!u)|exe|extc|open|ext-|textc|conf|templ|edito|smtp|sendm|to-c|cc-c|separate-git)|^-O.+|^[a-z][a-z0-9+.-]*::|-oProxy|^--interactive$|^--edit/i;
const runningBy: ReadonlyMap<string, RegExp> = new Map([
  ['clone', /^-[a-zA-Z]*[uc]/], ['rebase', /^-[a-zA-Z]*[xi]/], ['bisect', /^(?:run|view|visualize|replay)$/], ['submodule', /^foreach$/], ['commit', /^-[a-zA-Z]*p$/], ['grep', /^-O/],
  ['add', /^-[a-zA-Z]*[eip]/], ['fetch', /^-[a-zA-Z]*u.+/], ['help', /^-[a-zA-Z]*[wim]|^--(?:web|info|man)/], ['config', /^(?!--get|--list$|-l$|get$|list$|--show-|--global$|--local$|--system$|--name-only$|[\w-]+(?:\.[\w./-]+)+$)/],
]);

/** `git -C x reset --hard` meets a rule on `git reset --hard`. */
export function readGitCall(words: readonly string[]): GitCall {
  const { next, plain, options } = readOptions(words, before);
  const folders = options.flatMap(({ name, value }) => (/^(?:-C|--git-dir|--work-tree)$/.test(name) && value !== undefined ? [value] : []));
  const rest = words.slice(next);
  const [command, ...inner] = rest;
  if (command === undefined) return { arguments: words, folders, opaque: !plain };
  const by = runningBy.get(command);
  const runs = inner.some((word) => running.test(word) || by?.test(word) === true);
  // Two names are a setting: `git config core.pager x`.
  const sets = command === 'config' && inner.filter((word) => !word.startsWith('-')).length - (/^(?:get|list)$/.test(inner[0] ?? '') ? 1 : 0) > 1;
  return { arguments: rest, folders, opaque: !plain || runs || sets || !subCommands.has(command) || folders.some(isAnyonesFolder) };
}

/** Where anybody may have put a repository, whose configuration names programs. */
const isAnyonesFolder = (folder: string): boolean => /^(?:\/(?:private\/)?(?:var\/)?tmp|\/dev\/shm)(?:\/|$)/.test(folder);
