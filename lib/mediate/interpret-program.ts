import type { ProgramFact } from './action';
import type { Argument } from './argument';
import { findWrapper, isUnreadLauncher, type Wrapper } from './command-wrappers';
import { withoutGlobalOptions } from './global-options';
import { isHarmlessVariable } from './harmless-variables';
import { normalisePath } from './normalise-path';
import { readOptions } from './read-options';
import { readShellCall } from './read-shell-call';
import { runsOtherPrograms } from './runs-other-programs';
import { writtenByOptions } from './written-by-options';

/** `scripts` are texts that a shell would run. */
export type Finding = {
  readonly programs: readonly ProgramFact[];
  readonly scripts: readonly string[];
  readonly paths: readonly string[];
  /** Files that an option makes a program write that else only shows something. */
  readonly written: readonly string[];
  readonly opaque: boolean;
};

const deepestWrapping = 12;
const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'fish', 'rbash', 'csh', 'tcsh']);
/** Give names another meaning for what follows, or run text that is not here. */
const rebinding = new Set('alias unalias enable hash source . shopt set bind complete compgen mapfile readarray let fc coproc'.split(' '));
/** Builtins that set variables by name, or evaluate the index in `a[$(rm x)]`. */
const naming = new Set('export declare typeset readonly local unset read getopts printf wait test ['.split(' '));

/** Every program that these words start. Wrappers that only change how a program runs (`env`, `timeout`) are looked through. */
export function interpretProgram(words: readonly Argument[]): Finding {
  const interpreter = new Interpreter();
  interpreter.run(words, 0);
  return interpreter;
}

class Interpreter implements Finding {
  readonly programs: ProgramFact[] = [];
  readonly scripts: string[] = [];
  readonly paths: string[] = [];
  readonly written: string[] = [];
  opaque = false;

  run(words: readonly Argument[], level: number): void {
    const [first, ...rest] = words;
    if (!first) return;
    if (words.some((word) => !word.literal)) this.opaque = true;
    const name = first.literal ? programName(first.text) : undefined;
    if (name === undefined || level > deepestWrapping) {
      this.opaque = true;
      return;
    }
    const texts = rest.map((word) => word.text);
    const found = findWrapper([name, ...texts]);
    if (found) this.wrapped(name, found.wrapper, rest.slice(found.length - 1), texts, level);
    else if (shells.has(name)) {
      const call = readShellCall(rest);
      this.programs.push({ name, arguments: texts });
      if (call.text !== undefined) this.scripts.push(call.text);
      if (call.opaque) this.opaque = true;
    } else if (name === 'eval') this.scripts.push(texts.slice(texts[0] === '--' ? 1 : 0).join(' '));
    else this.plain(name, rest, texts, level);
  }

  private wrapped(name: string, wrapper: Wrapper, words: readonly Argument[], texts: readonly string[], level: number): void {
    const inner = unwrap(wrapper, words);
    if (inner.opaque) this.opaque = true;
    if (!wrapper.transparent || inner.words.length === 0) this.programs.push({ name, arguments: texts });
    if (wrapper.runsText === true && inner.words.length > 0) this.scripts.push(inner.words.map((word) => word.text).join(' '));
    else this.run(inner.words, level + 1);
  }

  /** A file's name inside a longer word may become part of a script. */
  private found(words: readonly Argument[], level: number): void {
    if (words.some(({ text }) => text.includes('{}') && text !== '{}')) this.opaque = true;
    this.run(words, level + 1);
  }

  private plain(name: string, words: readonly Argument[], texts: readonly string[], level: number): void {
    if (name === 'trap') {
      const [action, ...signals] = texts.filter((text) => text !== '--');
      if (action !== undefined && signals.length > 0) this.scripts.push(action);
    }
    if (name === 'find' || name === 'fd' || name === 'fdfind') for (const inner of innerCommands(name, words)) this.found(inner, level);
    // It deletes without starting anything: a rule on rm means this too.
    if (name === 'find' && texts.includes('-delete')) this.programs.push({ name: 'rm', arguments: texts.slice(0, texts.findIndex((text) => /^[-(!]/.test(text))) });
    if (rebinding.has(name) || isUnreadLauncher(name.toLowerCase().replace(/\.(?:exe|com|bat)$/, '')) || runsOtherPrograms(name, texts)) this.opaque = true;
    if (naming.has(name) && texts.some((text) => namesMore(name, text))) this.opaque = true;
    const bare = withoutGlobalOptions(name, texts);
    if (bare.opaque) this.opaque = true;
    this.paths.push(...bare.paths);
    this.written.push(...writtenByOptions(name, bare.arguments));
    this.programs.push({ name, arguments: bare.arguments });
  }
}

const systemFolders = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/;

/** Base name only for the system's own folders: `./git` and `/tmp/git` are other programs than `git`. */
function programName(text: string): string | undefined {
  if (text === '' || text.startsWith('-') || /[\s={}\\]|[^\x21-\x7e]/.test(text)) return undefined;
  if (!text.includes('/')) return text;
  const path = normalisePath(text);
  if (path === undefined) return undefined;
  return systemFolders.exec(path)?.[1] ?? (text.startsWith('/') ? path : `./${path}`);
}

/** The inner program's words. Opaque: an option that is not known could have taken the next word, or run something itself. */
function unwrap(wrapper: Wrapper, words: readonly Argument[]): { readonly words: readonly Argument[]; readonly opaque: boolean } {
  const texts = words.map((word) => word.text);
  const read = readOptions(texts, wrapper.options);
  let { next, plain } = read;
  if (read.options.some(({ name }) => wrapper.stops?.has(name) === true)) return { words: [], opaque: !plain };
  for (; wrapper.assignments === true && (texts[next] === '-' || /^[A-Za-z_]\w*=/.test(texts[next] ?? '')); next++) {
    const variable = texts[next]?.split('=')[0] ?? '';
    if (variable !== '-' && !isHarmlessVariable(variable)) plain = false;
  }
  for (let operand = 0; operand < (wrapper.operands ?? 0); operand++) {
    next += 1;
    const more = wrapper.optionsAfter === true ? readOptions(texts, wrapper.options, next) : { next, plain: true };
    next = more.next;
    plain &&= more.plain;
  }
  const inner = words.slice(next);
  return { words: inner, opaque: !plain || wrapper.addsArguments === true || (inner.length === 0 && wrapper.needsInner === true) };
}

/** True for a name whose value steers other programs, or an index that a builtin evaluates. */
function namesMore(builtin: string, text: string): boolean {
  if (/\[.*[$`]/.test(text)) return true;
  if (builtin === 'test' || builtin === '[') return false;
  if (builtin === 'printf') return text === '-v' || text.startsWith('-v');
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
  return name === undefined ? /^-[a-zA-Z]*[fin]/.test(text) && builtin !== 'read' && builtin !== 'wait' : !isHarmlessVariable(name);
}

/** What `-exec` and the like start, up to `;` or `+`. */
function innerCommands(name: string, words: readonly Argument[]): readonly (readonly Argument[])[] {
  const starts = name === 'find' ? /^-(?:exec|execdir|ok|okdir)$/ : /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/;
  const commands: (readonly Argument[])[] = [];
  for (let i = 0; i < words.length; i++) {
    if (!starts.test(words[i]?.text ?? '')) continue;
    const end = words.findIndex((word, at) => at > i && (word.text === ';' || (name === 'find' && word.text === '+' && words[at - 1]?.text === '{}')));
    commands.push(words.slice(i + 1, end < 0 ? words.length : end));
    if (end < 0) break;
    i = end;
  }
  return commands;
}
