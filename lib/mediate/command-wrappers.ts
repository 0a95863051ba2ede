import { optionsOf, type OptionSpec } from './read-options';

/** How a program that starts another one is read. */
export type Wrapper = {
  /** Looked through: it changes how the inner program runs, not what runs. Others are listed themselves too. */
  readonly transparent: boolean;
  readonly options: OptionSpec;
  /** Options after which nothing is started. */
  readonly stops?: ReadonlySet<string>;
  /** Words before the inner program, such as the seconds of `timeout` or the host of `ssh`. */
  readonly operands?: number;
  readonly assignments?: boolean;
  /** Options may stand behind the operands too. */
  readonly optionsAfter?: boolean;
  /** The inner words are joined and run by a shell. */
  readonly runsText?: boolean;
  /** Without an inner program it reads commands from its input, or starts something that is not named here. */
  readonly needsInner?: boolean;
  /** The inner program gets arguments that are not in the command. */
  readonly addsArguments?: boolean;
};

type Traits = Omit<Wrapper, 'transparent' | 'options'>;
const through = (options: string, traits: Traits = {}): Wrapper => ({ transparent: true, options: optionsOf(options), ...traits });
const beside = (options: string, traits: Traits = {}): Wrapper => ({ transparent: false, options: optionsOf(options), ...traits });
const one: Traits = { operands: 1 };

const container = beside('itdT u: c:n: e:! w:! --interactive --tty --detach --stdin --privileged --user: --container: --namespace: --context: --index: --env:! --env-file:! --workdir:! --no-deps --rm', one);
const image = beside(
  'itdPq v: p: u: h: l: m: a: c: e: w:! --rm --init --interactive --tty --detach --privileged --read-only --quiet --name: --network: --net: --volume: --publish: --mount: --user: --hostname: --label: --memory: --cpus: --env: --env-file: --platform: --pull: --restart: --cap-add: --cap-drop: --security-opt: --shm-size: --tmpfs: --gpus: --add-host: --entrypoint:! --workdir:!',
  one,
);
const packaged = beside('yqs p: c:! --yes --no --no-install --quiet --silent --package: --with: --from: --spec: --python: --node-arg:! --call:! --shell-mode!', { needsInner: true });

const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['env', through('i0v u: S:! C:! --ignore-environment --null --debug --unset: --split-string:! --chdir:!', { assignments: true })],
  ['timeout', through('vfp s:k: --foreground --preserve-status --verbose --signal: --kill-after:', one)],
  ['nohup', through('')],
  ['nice', through('0123456789 n: --adjustment:')],
  ['ionice', through('t c:n: --ignore --class: --classdata:')],
  ['chrt', through('abdfiorR T:P:D: --all-tasks --batch --deadline --fifo --idle --other --rr --reset-on-fork', one)],
  ['taskset', through('ac --all-tasks --cpu-list', one)],
  ['numactl', through('l C:N:m:i:p: --localalloc --physcpubind: --cpunodebind: --membind: --interleave: --preferred:')],
  ['time', through('pvaqV f: o:! --portability --verbose --append --quiet --format: --output:!')],
  ['stdbuf', through('i:o:e: --input: --output: --error:')],
  ['setsid', through('cfw --ctty --fork --wait')],
  ['unbuffer', through('p')],
  ['command', through('pvV', { stops: new Set(['-v', '-V']) })],
  ['builtin', through('')],
  ['exec', through('cl a:')],
  ['caffeinate', through('disum t:w:')],
  ['dumb-init', through('cv --single-child --verbose')],
  ['tini', through('gsvw e: p:')],
  ['cross-env', through('', { assignments: true })],
  ['sudo', beside('nkKEHbPSvVlB u:g:p:r:t:U:T: C:! R:! D:! A! i! s! e! --non-interactive --reset-timestamp --preserve-env? --set-home --background --stdin --validate --list --user: --group: --prompt: --role: --type: --host:! --chdir:! --chroot:! --login! --shell! --edit! --askpass!', { assignments: true, stops: new Set(['-v', '-V', '-l', '-e', '--list', '--validate', '--edit']) })],
  ['doas', beside('nL u: C:! s!')],
  ['pkexec', beside('--user: --disable-internal-agent', { needsInner: true })],
  ...['gosu', 'su-exec', 'chpst'].map((name) => [name, beside('', one)] as const),
  ['xargs', beside('0rtxop i?l?e? IEdLnPsa: --null --no-run-if-empty --verbose --exit --interactive --open-tty --replace? --eof? --max-lines? --delimiter: --max-args: --max-procs: --max-chars: --arg-file: --process-slot-var:', { addsArguments: true })],
  ['parallel', beside('0kruX jIaNnSC: --jobs: --arg-file: --keep-order --bar --dry-run --colsep: --max-args: --null --tag --halt: --sshlogin:!', { addsArguments: true })],
  ['entr', beside('cdnrszp', { addsArguments: true })],
  ['watch', beside('bcegprtwx d? n: --beep --color --no-color --differences? --errexit --chgexit --equexit: --exec --no-title --no-wrap --precise --interval:', { runsText: true })],
  ['ssh', beside('46AaCfGgKkMNnqsTtVvXxYy bcDeIiJLlmpQRSWwB: E:! O:! o:! F:!', { ...one, optionsAfter: true, runsText: true, needsInner: true })],
  ['chroot', beside('--userspec: --groups: --skip-chdir', { ...one, needsInner: true })],
  ['unshare', beside('imnpuUCTfrc S:G: R:! w:! --fork --map-root-user --map-current-user --mount? --pid? --net? --ipc? --uts? --user? --mount-proc? --kill-child? --setuid: --setgid:', { needsInner: true })],
  ['nsenter', beside('aFZ m?u?i?n?p?C?U?T? t:S:G: r?! w?! --all --no-fork --preserve-credentials --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --target: --setuid: --setgid:', { needsInner: true })],
  ['setpriv', beside('d --reuid: --regid: --ruid: --euid: --clear-groups --init-groups --keep-groups --groups: --no-new-privs --inh-caps: --ambient-caps: --bounding-set: --securebits: --pdeathsig: --reset-env')],
  ['prlimit', beside('c?d?e?f?i?l?m?n?q?r?s?t?u?v?x?y? --core? --data? --nice? --fsize? --memlock? --rss? --nofile? --nproc? --stack? --cpu? --as?')],
  ['flock', beside('nsexuoF wE: c:! --nonblock --nb --shared --exclusive --unlock --close --no-fork --wait: --timeout: --conflict-exit-code: --command:!', one)],
  ['strace', beside('fvqtTcCdDhiknrxXyYzZ eupsaPISb: o:! E:!', { needsInner: true })],
  ['ltrace', beside('fcCirStTv eupsalnDFA: o:! E:!', { needsInner: true })],
  ['systemd-run', beside('tPqGrdS u:p: M:! H:! E:! --user --system --scope --pty --pipe --quiet --wait --collect --no-block --remain-after-exit --same-dir --unit: --property: --description: --slice: --uid: --gid: --nice: --setenv:! --working-directory:!', { needsInner: true })],
  ...['linux32', 'linux64', 'i386', 'x86_64'].map((name) => [name, beside('RBFILSTXZv3')] as const),
  ['setarch', beside('RBFILSTXZv3', one)],
  ...['fakeroot', 'torsocks', 'torify', 'tsocks', 'ssh-agent', 'dbus-run-session', 'xvfb-run', 'catchsegv'].map((name) => [name, beside('aqs --', { needsInner: true })] as const),
  ...['proxychains', 'proxychains4'].map((name) => [name, beside('q f:!', { needsInner: true })] as const),
  ['faketime', beside('mp f:', one)],
  ...['busybox', 'toybox'].map((name) => [name, beside('--list --help --long', { stops: new Set(['--list', '--help', '--long']) })] as const),
  ...['docker', 'podman', 'nerdctl'].flatMap((name) => [[`${name} exec`, container], [`${name} run`, image], [`${name} container exec`, container], [`${name} container run`, image], [`${name} compose exec`, container], [`${name} compose run`, container]] as const),
  ...['kubectl', 'oc'].map((name) => [`${name} exec`, { ...container, optionsAfter: true, needsInner: true }] as const),
  ...['docker-compose exec', 'docker-compose run', 'lxc exec', 'incus exec', 'multipass exec'].map((name) => [name, container] as const),
  ...['npx', 'bunx', 'uvx', 'npm exec', 'npm x', 'pnpm dlx', 'pnpm exec', 'pnpx', 'yarn dlx', 'yarn exec', 'bun x', 'pipx run', 'uv run', 'uv tool run', 'poetry run', 'pipenv run', 'pdm run', 'rye run', 'hatch run', 'bundle exec', 'rbenv exec', 'pyenv exec'].map((name) => [name, packaged] as const),
  ['conda run', beside('v n:p: --name: --prefix:! --no-capture-output --live-stream', { needsInner: true })],
]);

/** Start what their arguments or files say in ways that are not read here. */
const unread = new Set(
  'su runuser sg newgrp runcon script scriptreplay bwrap firejail capsh machinectl start-stop-daemon daemonize run-parts rlwrap expect tmux screen dtach abduco at batch hyperfine nodemon watchexec concurrently direnv mise asdf nix nix-shell devbox vagrant wsl osascript schroot rsh rexec mosh adb perf valgrind gdb lldb logrotate socat openvpn telnet ftp sftp cmd command.com powershell pwsh wscript cscript mshta rundll32 start xdg-open open ld.so ld-linux.so.2 ld-linux-x86-64.so.2'.split(' '),
);

/** The wrapper and how many words its own name takes: `docker compose exec` is three. */
export function findWrapper(words: readonly string[]): { readonly wrapper: Wrapper; readonly length: number } | undefined {
  for (let length = Math.min(3, words.length); length > 0; length--) {
    const wrapper = wrappers.get(words.slice(0, length).join(' '));
    if (wrapper) return { wrapper, length };
  }
  return undefined;
}

export const isUnreadLauncher = (name: string): boolean => unread.has(name);
