/** How a program that starts another one is read. `values` matches options whose value is the next word. */
export type Wrapper = {
  /** Looked through: it changes how the inner program runs, not what runs. Others are listed themselves too. */
  readonly transparent: boolean;
  readonly values: RegExp;
  /** Options without a value of their own; left out: anything that looks like one. */
  readonly flags?: RegExp;
  /** Options that run something or load something. */
  readonly dangerous?: RegExp;
  /** Options after which nothing is started. */
  readonly stops?: RegExp;
  /** Words before the inner program, such as the seconds of `timeout`. */
  readonly operands?: number;
  readonly assignments?: boolean;
  /** The inner words are joined and run by a shell. */
  readonly runsText?: boolean;
  /** The inner program gets arguments that are not in the command. */
  readonly addsArguments?: boolean;
};

const never = /^(?!)/;

const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['env', { transparent: true, values: /^(?:-u|--unset)$/, dangerous: /^(?:-[a-zA-Z0-9]*[SC]|--s|--c)/, assignments: true }],
  ['timeout', { transparent: true, values: /^(?:-s|--signal|-k|--kill-after)$/, operands: 1 }],
  ['nohup', { transparent: true, values: never }],
  ['nice', { transparent: true, values: /^(?:-n|--adjustment)$/ }],
  ['ionice', { transparent: true, values: /^(?:-c|-n|--class|--classdata)$/ }],
  ['chrt', { transparent: true, values: never, operands: 1 }],
  ['time', { transparent: true, values: /^(?:-f|--format|-o|--output)$/ }],
  ['stdbuf', { transparent: true, values: /^-[ioe]$/ }],
  ['setsid', { transparent: true, values: never }],
  ['command', { transparent: true, values: never, stops: /^-[pvV]*[vV]/ }],
  ['builtin', { transparent: true, values: never }],
  ['exec', { transparent: true, values: /^-a$/ }],
  ['caffeinate', { transparent: true, values: /^-[tw]$/ }],
  ['sudo', { transparent: false, values: /^(?:-[ugpChrtTU]|--(?:user|group|prompt|host|role|type))$/, dangerous: /^(?:-[sieADR]|--(?:shell|login|edit|askpass|chdir|chroot)(?:=|$))/, assignments: true }],
  ['doas', { transparent: false, values: /^-[uC]$/, dangerous: /^-s$/ }],
  ['runuser', { transparent: false, values: /^-[ugG]$/, dangerous: /^-[cl]/ }],
  ['xargs', { transparent: false, values: /^(?:-[IEdLnPsa]|--(?:replace|delimiter|max-lines|max-args|max-procs|max-chars|arg-file))$/, addsArguments: true }],
  ['parallel', { transparent: false, values: /^(?:-[jIaN]|--(?:jobs|arg-file))$/, addsArguments: true }],
  ['watch', { transparent: false, values: /^(?:-n|--interval)$/, runsText: true }],
  ['ssh', { transparent: false, values: /^-[bcDEeIiJLlmOpQRSWwB]$/, dangerous: /^-[oF]/, operands: 1, runsText: true }],
  ['chroot', { transparent: false, values: never, operands: 1 }],
  ['unshare', { transparent: false, values: /^-[SGw]$/ }],
  ['nsenter', { transparent: false, values: /^-[tSGw]$/ }],
  ['flock', { transparent: false, values: /^(?:-[wE])$/, dangerous: /^(?:-c|--command)$/, operands: 1 }],
  ['strace', { transparent: false, values: /^-[eopsuaPEISbO]$/ }],
  ['ltrace', { transparent: false, values: /^-[eopsualnDFS]$/ }],
  ['systemd-run', { transparent: false, values: /^-[pMHu]$/ }],
  ['bwrap', { transparent: false, values: never, addsArguments: true }],
  ['script', { transparent: false, values: never, dangerous: /^(?:-c|--command)/, operands: 1, addsArguments: true }],
  ['su', { transparent: false, values: never, addsArguments: true }],
]);

export const findWrapper = (name: string): Wrapper | undefined => wrappers.get(name);
